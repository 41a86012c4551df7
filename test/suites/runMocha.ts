import { spawn } from 'node:child_process';
import { type EditorVersion, newestEditor, testedVariable } from '../editor/editorVersions';
import { undoAtExit } from '../editor/undoAtExit';
import { type Counts, readCounts } from './countingSpec';
import { projectFolder } from './project';

/**
 * Runs the tests in the files that match the globs in a process of their own; those that open an editor open the one
 * given. Undefined where the process died.
 */
export function runMocha(
  globs: readonly string[],
  timeoutMs: number,
  editor: EditorVersion = newestEditor,
  print: (chunk: Buffer) => void = (chunk) => process.stdout.write(chunk),
): Promise<Counts | undefined> {
  return new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', 'test/suites/mochaProcess.ts', String(timeoutMs), ...globs];
    const env = { ...process.env, [testedVariable]: editor.vscode };
    const child = spawn(process.execPath, args, { cwd: projectFolder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const forget = undoAtExit(() => child.kill());
    const printed: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      printed.push(chunk);
      print(chunk);
    });
    child.once('error', reject);
    child.once('close', () => {
      forget();
      resolve(readCounts(Buffer.concat(printed).toString()));
    });
  });
}
