import { spawn } from 'node:child_process';
import { endGroup, endInGroup } from './runProcess';
import { undoAtExit } from './undoAtExit';

/** A server that runs; `stop()` ends it and all that it started, as the end of this process does. */
export interface RunningServer {
  readonly url: string;
  /** What it has printed so far. */
  output(): string;
  /** Comes true when it has ended, and says how. */
  readonly ended: Promise<string>;
  /** Ends those of the processes it has started whose command line matches, and waits until they are gone. */
  endChildren(commandLine: RegExp): Promise<void>;
  stop(): void;
}

/** How to start one: the program is over when it exits, and ready when `url` answers. */
export interface ServerStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly url: string;
  readonly env?: NodeJS.ProcessEnv;
}

const startTimeoutMs = 60_000;

/** Starts a server and waits until it answers; throws with its output where it ends or stays silent. */
export async function startServer(start: ServerStart): Promise<RunningServer> {
  const child = spawn(start.program, start.args, {
    env: start.env ?? process.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = undoAtExit(() => endGroup(child.pid));
  const printed: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  const output = (): string => printed.join('');
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended (${code ?? signal})`));
  });
  const silence = new AbortController();
  const lastQueryError = await Promise.race([ended, responses(start.url, silence.signal)]);
  silence.abort();
  if (lastQueryError !== undefined) {
    stop();
    throw new Error(`The server ${start.url} did not start: ${lastQueryError}\n${output()}`);
  }
  return { url: start.url, output, ended, endChildren: (commandLine) => endInGroup(child.pid, commandLine), stop };
}

/** Asks until there is a response, and gives nothing then; a word of trouble where none comes in time. */
async function responses(url: string, signal: AbortSignal): Promise<string | undefined> {
  const until = Date.now() + startTimeoutMs;
  while (Date.now() < until && !signal.aborted) {
    const response = await fetch(url, { redirect: 'manual', signal }).catch(() => undefined);
    if (response && response.status < 500) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return `no answer within ${startTimeoutMs / 1000} s`;
}
