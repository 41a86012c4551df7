import { join } from 'node:path';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import type { EditorVersion } from '../editor/editorVersions';
import { writeUserSettings } from '../editor/quietSettings';
import { temporaryFolder } from '../editor/temporaryFolder';
import { editorsFolder, projectFolder } from './project';
import { eventsVariable } from './recorder';

export interface HostRun {
  /** The folder with the compiled tests. */
  readonly compiled: string;
  /** An installed editor, or 'desktop' to download a desktop VS Code. */
  readonly editor: EditorVersion | 'desktop';
  /** Absolute paths of compiled files. */
  readonly files: readonly string[];
  /** A pattern that full test titles must match. */
  readonly grep: string;
}

/** Runs host tests in an editor's extension host. The tests append their events to the events file. */
export async function runHost({ compiled, editor, files, grep }: HostRun, eventsFile: string): Promise<void> {
  const temporary = temporaryFolder('di-host');
  const userData = join(temporary.path, 'data');
  writeUserSettings(join(userData, 'User'));
  try {
    await runTests({
      extensionDevelopmentPath: projectFolder,
      extensionTestsPath: join(compiled, 'test', 'host', 'index.js'),
      extensionTestsEnv: { TEST_FILES: JSON.stringify(files), TEST_GREP: grep, [eventsVariable]: eventsFile },
      launchArgs: [
        temporary.path,
        `--user-data-dir=${userData}`,
        `--extensions-dir=${join(temporary.path, 'extensions')}`,
        ...(editor === 'desktop' ? [] : [`--editor-version=${editor.vscode}`]),
      ],
      ...(editor === 'desktop'
        ? { version: 'stable', cachePath: join(editorsFolder, 'desktop') }
        : { vscodeExecutablePath: join(projectFolder, 'test', 'editor', 'hostLauncher.ts') }),
    });
  } catch (error) {
    // The recorded events show which tests failed.
    if (!(error instanceof TestRunFailedError)) throw error;
  } finally {
    temporary.remove();
  }
}
