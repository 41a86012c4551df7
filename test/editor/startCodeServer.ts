import { join } from 'node:path';
import { freePort } from './freePort';
import type { InstalledEditor } from './installEditor';
import { quietEnvironment } from './quietEnvironment';
import { writeUserSettings } from './quietSettings';
import { runProcess } from './runProcess';
import { type RunningServer, startServer } from './startServer';

/** What the editor opens with; absolute paths. */
export interface EditorStart {
  /** The extension to install from its package. */
  readonly vsix: string;
  readonly workspaceFolder: string;
  /** Where the editor keeps all of its own: settings under `User/`, what is installed under `extensions/`. */
  readonly dataFolder: string;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Without it, one that is free. */
  readonly port?: number | undefined;
}

/** Installs the extension into a new editor and starts it, for a browser to open at the address given. */
export async function startCodeServer(editor: InstalledEditor, start: EditorStart): Promise<RunningServer> {
  writeUserSettings(join(start.dataFolder, 'User'), start.settings);
  const entry = join(editor.codeServer, 'out', 'node', 'entry.js');
  const folders = [
    ...['--config', join(start.dataFolder, 'code-server.yaml'), '--user-data-dir', start.dataFolder],
    ...['--extensions-dir', join(start.dataFolder, 'extensions')],
  ];
  const env = quietEnvironment(start.dataFolder);
  await runProcess(editor.node, [entry, ...folders, '--install-extension', start.vsix], { env });
  const address = `127.0.0.1:${start.port ?? (await freePort())}`;
  return await startServer({
    program: editor.node,
    args: [
      entry,
      ...folders,
      ...['--bind-addr', address, '--auth', 'none', '--disable-telemetry', '--disable-update-check'],
      ...['--disable-workspace-trust', '--disable-getting-started-override', start.workspaceFolder],
    ],
    url: `http://${address}/`,
    env,
  });
}
