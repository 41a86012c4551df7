import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A service in its own process, which ends when this process does. */
export interface ForkedService<Counts> extends AsyncDisposable {
  readonly port: number;
  /** What the service has counted since the previous call. */
  counted(): Promise<Counts>;
}

/** Starts a program that sends {"port": …} once it is listening, and replies to any message with its counts. */
export async function forkService<Counts>(program: string, ...args: string[]): Promise<ForkedService<Counts>> {
  const child = fork(program, args);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    async counted() {
      child.send('count');
      const [counts] = (await once(child, 'message')) as [Counts];
      return counts;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
