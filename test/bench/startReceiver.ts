import { join } from 'node:path';
import { forkService } from '../unit/service/forkedService';

/** What the receiver has counted since the previous call to `received()`. */
export interface Received {
  readonly posts: number;
  readonly bodyBytes: number;
  readonly connections: number;
}

/** A running receiver.ts process. */
export interface Receiver {
  readonly baseUrl: URL;
  received(): Promise<Received>;
}

/** Starts receiver.ts. */
export async function startReceiver(responseMs = 0, protocol: 'http:' | 'https:' = 'http:'): Promise<Receiver> {
  const program = join(__dirname, 'receiver.ts');
  const { port, counted } = await forkService<Received>(program, String(responseMs), protocol);
  return { baseUrl: new URL(`${protocol}//127.0.0.1:${port}`), received: counted };
}

/** @throws Error if there were more or fewer requests than expected, or if bytes were missing */
export function mustHaveReceived(
  { posts, bodyBytes }: Received,
  expected: Pick<Received, 'posts' | 'bodyBytes'>,
): void {
  if (posts === expected.posts && bodyBytes >= expected.bodyBytes) return;
  const { posts: files, bodyBytes: bytes } = expected;
  throw new Error(`${posts} requests with ${bodyBytes} bytes arrived, not ${files} with ${bytes} bytes or more.`);
}
