import { spawn } from 'node:child_process';
import { endGroup, endInGroup } from './runProcess';
import { undoAtExit } from './undoAtExit';

/** A running server. `stop()` kills it and its child processes. They are also killed when this process ends. */
export interface RunningServer {
  readonly url: string;
  /** The output so far. */
  output(): string;
  /** Resolves once the server has ended, with the reason why it ended. */
  readonly ended: Promise<string>;
  /** Kills the child processes whose command line matches `commandLine`, and waits until they have ended. */
  endChildren(commandLine: RegExp): Promise<void>;
  stop(): void;
}

export interface ServerStart {
  readonly program: string;
  /** Use port 0 to let the server choose a free port. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

const startTimeoutMs = 60_000;
/** VS Code's server and code-server print this line once they accept connections. */
const listening = /\blistening on (?:http:\/\/127\.0\.0\.1:)?(\d+)/;

/**
 * Starts a server and waits until it prints its port.
 * @throws Error with the server's output if it doesn't print one
 */
export async function startServer(start: ServerStart): Promise<RunningServer> {
  const child = spawn(start.program, start.args, { env: start.env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = undoAtExit(() => endGroup(child.pid));
  let printed = '';
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`it ended (${code ?? signal})`));
  });
  const started = Promise.withResolvers<string>();
  const print = (text: string) => {
    printed += text;
    const port = listening.exec(printed)?.[1];
    if (port !== undefined) started.resolve(port);
  };
  child.stdout.setEncoding('utf8').on('data', print);
  child.stderr.setEncoding('utf8').on('data', print);
  const fail = (why: string) => started.reject(new Error(`${start.program} did not start: ${why}\n${printed}`));
  const late = setTimeout(() => fail(`no port within ${startTimeoutMs / 1000} s`), startTimeoutMs);
  void ended.then(fail);
  try {
    const url = `http://127.0.0.1:${await started.promise}/`;
    return { url, output: () => printed, ended, endChildren: (line) => endInGroup(child.pid, line), stop };
  } catch (error) {
    stop();
    throw error;
  } finally {
    clearTimeout(late);
  }
}
