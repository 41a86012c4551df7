import { join } from 'node:path';
import type { InstalledEditor } from './installEditor';
import { quietEnvironment } from './quietEnvironment';
import { linkQuietExtensions } from './quietExtensions';
import { writeUserSettings } from './quietSettings';
import { type RunningServer, startServer } from './startServer';

/** A test run in the extension host. All paths are absolute. */
export interface ExtensionTests {
  readonly extensionFolder: string;
  /** The module that exports `run()`. */
  readonly testsModule: string;
  readonly workspaceFolder: string;
  /** The editor's data folder, which is new for every run. */
  readonly dataFolder: string;
  /** User settings, in addition to `quietSettings`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/**
 * Starts VS Code's own server, because code-server can't run extension tests. Opening the returned page runs the tests.
 */
export async function startExtensionHost(
  editor: InstalledEditor,
  tests: ExtensionTests,
): Promise<{ server: RunningServer; page: string }> {
  writeUserSettings(join(tests.dataFolder, 'User'), tests.settings);
  const editorExtensions = join(tests.dataFolder, 'quiet-extensions');
  linkQuietExtensions(editor, editorExtensions, ['ipynb', 'json-language-features']);
  const server = await startServer({
    program: editor.node,
    args: [
      join(editor.vscodeServer, 'out', 'server-main.js'),
      '--host=127.0.0.1',
      '--port=0',
      '--without-connection-token',
      '--accept-server-license-terms',
      `--server-data-dir=${tests.dataFolder}`,
      `--user-data-dir=${tests.dataFolder}`,
      `--extensions-dir=${join(tests.dataFolder, 'extensions')}`,
      `--builtin-extensions-dir=${editorExtensions}`,
      '--disable-workspace-trust',
      // Without the smoke test driver, a release build ignores the payload that specifies which tests to run.
      '--enable-smoke-test-driver',
      '--telemetry-level=off',
    ],
    env: quietEnvironment(tests.dataFolder),
  });
  const remote = (path: string): string => `vscode-remote://${new URL(server.url).host}${path}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote(tests.extensionFolder)],
    ['extensionTestsPath', remote(tests.testsModule)],
    ['skipWelcome', 'true'],
  ]);
  return { server, page: `${server.url}?${new URLSearchParams({ folder: tests.workspaceFolder, payload })}` };
}
