import { join, relative } from 'node:path';
import { Writable } from 'node:stream';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import type { EditorVersion } from '../editor/editorVersions';
import { installEditor } from '../editor/installEditor';
import { writeUserSettings } from '../editor/quietSettings';
import { temporaryFolder } from '../editor/temporaryFolder';
import { type Counts, readCounts } from './countingSpec';
import { editorsFolder, outFolder, projectFolder } from './project';
import type { Print } from './suite';

/** What runs in an extension host. */
export interface HostRun {
  /** An editor, or a desktop VS Code that is downloaded. */
  readonly editor: EditorVersion | 'desktop';
  /** Files of host tests that are bundled. */
  readonly files: readonly string[];
  /** Of these files, the tests whose full title matches; without it, all. */
  readonly grep?: string | undefined;
}

/** Runs host tests in the extension host of an editor. Gives undefined where they did not come to their end. */
export async function runHost({ editor, files, grep }: HostRun, print: Print): Promise<Counts | undefined> {
  if (editor !== 'desktop') await installEditor(editor);
  const temporary = temporaryFolder('di-host');
  const userData = join(temporary.path, 'data');
  writeUserSettings(join(userData, 'User'));
  const printed: Buffer[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      printed.push(chunk);
      print(chunk);
      done();
    },
  });
  try {
    await runTests({
      extensionDevelopmentPath: projectFolder,
      extensionTestsPath: join(outFolder, 'host', 'index.js'),
      extensionTestsEnv: { TEST_FILES: JSON.stringify(files.map(bundledFile)), TEST_GREP: grep },
      launchArgs: [
        temporary.path,
        `--user-data-dir=${userData}`,
        `--extensions-dir=${join(temporary.path, 'extensions')}`,
        ...(editor === 'desktop' ? [] : [`--editor-version=${editor.vscode}`]),
      ],
      ...(editor === 'desktop'
        ? { version: 'stable', cachePath: join(editorsFolder, 'desktop') }
        : { vscodeExecutablePath: join(projectFolder, 'test', 'editor', 'hostLauncher.ts') }),
      stdout: output,
      stderr: output,
    });
  } catch (error) {
    // Failed tests are in the counts.
    if (!(error instanceof TestRunFailedError)) throw error;
  } finally {
    temporary.remove();
  }
  return readCounts(Buffer.concat(printed).toString());
}

/** The path in the folder of the bundles. */
function bundledFile(file: string): string {
  return relative(join('test', 'host'), file).replace(/\.ts$/, '.js');
}
