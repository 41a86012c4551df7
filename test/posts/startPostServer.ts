import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What came in since the last time it was asked. */
export interface Arrived {
  /** How many different ones. */
  readonly files: number;
  /** How many of them came more than once. */
  readonly doubled: number;
  /** How many connections the server closed without a word. */
  readonly closes: number;
}

/** An import service in a process of its own. */
export interface PostServer extends AsyncDisposable {
  readonly port: number;
  arrived(): Promise<Arrived>;
}

/** Starts postServer.ts: "node", or how many responses it gives over each connection. */
export async function startPostServer(kind: 'node' | number): Promise<PostServer> {
  const child = fork(join(__dirname, 'postServer.js'), [String(kind)]);
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
