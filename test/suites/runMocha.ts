import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type EditorVersion, newestEditor, testedVariable } from '../editor/editorVersions';
import { endGroup, endGroupSoon } from '../editor/runProcess';
import { undoAtExit } from '../editor/undoAtExit';
import type { MochaOrder } from './mochaProcess';
import { projectFolder } from './project';
import { eventsVariable } from './recorder';

/** A run of Mocha in a process of its own. */
export interface MochaRun extends MochaOrder {
  /** The folder of the compiled tests. */
  readonly compiled: string;
  /** The editor that its tests open; without it, the newest. */
  readonly editor?: EditorVersion;
  /** Variables of its environment, besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Only a process that hangs takes longer. */
const limitMs = 1_500_000;

/** Runs the tests; they append their events to the file. Resolves when the process has ended, however it did. */
export function runMocha(
  { compiled, editor = newestEditor, env, ...order }: MochaRun,
  eventsFile: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const program = join(compiled, 'test', 'suites', 'mochaProcess.js');
    const flags = ['--enable-source-maps', '--disable-warning=ExperimentalWarning'];
    const child = spawn(process.execPath, [...flags, program, JSON.stringify(order)], {
      cwd: projectFolder,
      env: { ...process.env, [testedVariable]: editor.vscode, [eventsVariable]: eventsFile, ...env },
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    let end = endGroupSoon;
    const endNow = undoAtExit(() => end(child.pid));
    const limit = setTimeout(() => endGroup(child.pid), limitMs);
    child.once('error', reject);
    child.once('close', (_code, signal) => {
      clearTimeout(limit);
      end = endGroup;
      endNow();
      if (signal === null) resolve();
      else reject(new Error(`The process was killed by ${signal}.`));
    });
  });
}
