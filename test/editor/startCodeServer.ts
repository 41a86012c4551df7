import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledEditor } from './installEditor';
import { installLanguage } from './installLanguage';
import { installVsix } from './installVsix';
import { quietEnvironment } from './quietEnvironment';
import { linkQuietExtensions } from './quietExtensions';
import { writeUserSettings } from './quietSettings';
import { type RunningServer, startServer } from './startServer';

/** How to start the editor. All paths are absolute. */
export interface EditorStart {
  readonly workspaceFolder: string;
  /** The editor's data: settings in `User/`, installed extensions in `extensions/`. */
  readonly dataFolder: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The display language, such as `zh-cn`; defaults to English. */
  readonly locale?: string | undefined;
  /** Defaults to a free port. */
  readonly port?: number | undefined;
  /** Whether to omit built-in extensions that run code. */
  readonly isQuiet?: boolean;
}

/** Starts code-server with the extension installed from its VSIX. */
export async function startCodeServer(editor: InstalledEditor, start: EditorStart): Promise<RunningServer> {
  writeUserSettings(join(start.dataFolder, 'User'), start.settings);
  const extensionsFolder = join(start.dataFolder, 'extensions');
  cpSync(await installVsix(editor), extensionsFolder, { recursive: true });
  if (start.locale !== undefined) installLanguage(start.dataFolder, extensionsFolder, start.locale);
  const quietExtensionsFolder = join(start.dataFolder, 'quiet-extensions');
  if (start.isQuiet) linkQuietExtensions(editor, quietExtensionsFolder, ['ipynb']);
  return await startServer({
    program: editor.node,
    args: [
      join(editor.codeServer, 'out', 'node', 'entry.js'),
      ...['--config', join(start.dataFolder, 'code-server.yaml'), '--user-data-dir', start.dataFolder],
      ...['--extensions-dir', extensionsFolder],
      ...(start.isQuiet ? ['--builtin-extensions-dir', quietExtensionsFolder] : []),
      ...[
        '--bind-addr',
        `127.0.0.1:${start.port ?? 0}`,
        '--auth',
        'none',
        '--disable-telemetry',
        '--disable-update-check',
      ],
      ...(start.locale === undefined ? [] : ['--locale', start.locale]),
      ...['--disable-workspace-trust', '--disable-getting-started-override', start.workspaceFolder],
    ],
    env: quietEnvironment(start.dataFolder),
  });
}
