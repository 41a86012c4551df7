import { spawn } from 'node:child_process';
import { type EditorVersion, newestEditor, testedVariable } from '../editor/editorVersions';
import { undoAtExit } from '../editor/undoAtExit';
import { type Counts, readCounts } from './countingSpec';
import { projectFolder } from './project';
import type { Print } from './suite';

/** What a process of Mocha runs. */
export interface MochaRun {
  readonly files: readonly string[];
  /** The time limit of each test. */
  readonly timeoutMs: number;
  /** Of these files, the tests whose full title matches; without it, all. */
  readonly grep?: string | undefined;
  /** What those tests open that open an editor; without it, the newest. */
  readonly editor?: EditorVersion;
  /** Variables of its environment, besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the tests in a process of their own. Undefined where the process died. */
export function runMocha(
  { files, timeoutMs, grep = '', editor = newestEditor, env }: MochaRun,
  print: Print,
): Promise<Counts | undefined> {
  return new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', 'test/suites/mochaProcess.ts', String(timeoutMs), grep, ...files];
    const child = spawn(process.execPath, args, {
      cwd: projectFolder,
      env: { ...process.env, [testedVariable]: editor.vscode, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const forget = undoAtExit(() => child.kill());
    const printed: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      printed.push(chunk);
      print(chunk);
    });
    child.stderr.on('data', print);
    child.once('error', reject);
    child.once('close', () => {
      forget();
      resolve(readCounts(Buffer.concat(printed).toString()));
    });
  });
}
