import { spawn } from 'node:child_process';
import { undoAtExit } from './undoAtExit';

/**
 * Runs a program and returns its output. If this process ends first, the program and its child processes are killed.
 * @throws Error with the output if the program fails
 */
export function runProcess(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const forget = undoAtExit(() => endGroup(child.pid));
    const printed: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
    child.once('error', (error) => reject(new Error(`Cannot run ${program}: ${error.message}`, { cause: error })));
    child.once('close', (code, signal) => {
      forget();
      const output = Buffer.concat(printed).toString();
      if (code === 0) resolve(output);
      else reject(new Error(`"${[program, ...args].join(' ')}" failed (${code ?? signal}):\n${output}`));
    });
  });
}

/** Kills a detached process and its child processes. */
export function endGroup(pid: number | undefined): void {
  if (pid !== undefined) endProcess(-pid);
}

/**
 * Sends SIGTERM to a detached process, and kills its process group 3 s later, even if our own process has ended by
 * then.
 */
export function endGroupSoon(pid: number | undefined): void {
  if (pid === undefined) return;
  endProcess(pid, 'SIGTERM');
  spawn('sh', ['-c', `sleep 3; kill -KILL -${pid}`], { detached: true, stdio: 'ignore' }).unref();
}

/**
 * In a process group, kills the processes whose command line matches `commandLine`, and waits until they have ended.
 */
export async function endInGroup(group: number | undefined, commandLine: RegExp): Promise<void> {
  for (;;) {
    const processes = await runProcess('ps', ['-A', '-o', 'pid=,pgid=,state=,args=']);
    const found = processes
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s(.*)$/.exec(line) ?? [])
      .filter(([, , pgid, state]) => Number(pgid) === group && !state?.startsWith('Z'))
      .filter(([, , , , args]) => args !== undefined && commandLine.test(args));
    if (found.length === 0) return;
    for (const [, pid] of found) endProcess(Number(pid));
  }
}

function endProcess(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process or group has already ended.
  }
}
