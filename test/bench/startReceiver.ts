import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

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

/** Starts receiver.ts in its own process, which ends when this process does. */
export async function startReceiver(responseMs = 0, protocol: 'http:' | 'https:' = 'http:'): Promise<Receiver> {
  const child = fork(join(__dirname, 'receiver.ts'), [String(responseMs), protocol]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    baseUrl: new URL(`${protocol}//127.0.0.1:${port}`),
    async received() {
      child.send('count');
      const [counted] = (await once(child, 'message')) as [Received];
      return counted;
    },
  };
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
