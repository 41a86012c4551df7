import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What the server has counted since the previous call. */
export interface Arrived {
  /** The number of distinct files that arrived. */
  readonly files: number;
  /** The number of files that arrived more than once. */
  readonly doubled: number;
  /** The number of connections that the server closed without notice. */
  readonly closes: number;
}

/** An import service in its own process. */
export interface PostServer extends AsyncDisposable {
  readonly port: number;
  arrived(): Promise<Arrived>;
}

/** Starts `postServer.ts` in its own process. */
export async function startPostServer(every: number): Promise<PostServer> {
  const child = fork(join(__dirname, 'postServer.js'), [String(every)]);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    async arrived() {
      child.send('count');
      const [arrived] = (await once(child, 'message')) as [Arrived];
      return arrived;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
