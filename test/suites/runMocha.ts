import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type EditorVersion, newestEditor, testedVariable } from '../editor/editorVersions';
import { endGroup, endGroupSoon } from '../editor/runProcess';
import { undoAtExit } from '../editor/undoAtExit';
import type { MochaOrder } from './mochaProcess';
import { projectFolder } from './project';
import { eventsVariable } from './recorder';

export interface MochaRun extends MochaOrder {
  /** The folder with the compiled tests. */
  readonly compiled: string;
  /** The editor that the tests open; defaults to the latest version. */
  readonly editor?: EditorVersion;
  /** Environment variables to add to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A process that takes longer than this is considered hung. */
const limitMs = 1_500_000;

/** Runs Mocha in its own process. The tests append their events to the events file. Resolves even if tests fail. */
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
