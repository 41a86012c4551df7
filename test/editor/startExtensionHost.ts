import { join } from 'node:path';
import type { InstalledEditor } from './installEditor';
import { quietEnvironment } from './quietEnvironment';
import { linkQuietExtensions } from './quietExtensions';
import { writeUserSettings } from './quietSettings';
import { type RunningServer, startServer } from './startServer';

/** What a test run in the extension host is made of; absolute paths. */
export interface ExtensionTests {
  readonly extensionFolder: string;
  /** The module whose `run()` runs the tests. */
  readonly testsModule: string;
  readonly workspaceFolder: string;
  /** Where the editor keeps all of its own; new for every run. */
  readonly dataFolder: string;
  /** User settings, besides the quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/**
 * Starts VS Code's own server (not code-server's front, which runs no tests). Opening the page at the address given
 * runs the tests.
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
      ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'],
      ...['--server-data-dir', tests.dataFolder, '--user-data-dir', tests.dataFolder],
      ...['--extensions-dir', join(tests.dataFolder, 'extensions'), '--builtin-extensions-dir', editorExtensions],
      '--disable-workspace-trust',
      // Without it, a built VS Code ignores the payload that names the tests.
      ...['--enable-smoke-test-driver', '--telemetry-level', 'off'],
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
