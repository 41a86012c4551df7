import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { vsixFile } from '../suites/project';
import type { InstalledEditor } from './installEditor';
import { quietEnvironment } from './quietEnvironment';
import { linkQuietExtensions } from './quietExtensions';
import { writeUserSettings } from './quietSettings';
import { runProcess } from './runProcess';
import { type RunningServer, startServer } from './startServer';
import { temporaryFolder } from './temporaryFolder';

/** How to start the editor. All paths are absolute. */
export interface EditorStart {
  readonly workspaceFolder: string;
  /** The editor's data: settings in `User/`, installed extensions in `extensions/`. */
  readonly dataFolder: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The display language, such as `zh-cn`; defaults to English. */
  readonly locale?: string | undefined;
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
      `--config=${join(start.dataFolder, 'code-server.yaml')}`,
      `--user-data-dir=${start.dataFolder}`,
      `--extensions-dir=${extensionsFolder}`,
      ...(start.isQuiet ? [`--builtin-extensions-dir=${quietExtensionsFolder}`] : []),
      '--bind-addr=127.0.0.1:0',
      '--auth=none',
      '--disable-telemetry',
      '--disable-update-check',
      ...(start.locale === undefined ? [] : [`--locale=${start.locale}`]),
      '--disable-workspace-trust',
      '--disable-getting-started-override',
      start.workspaceFolder,
    ],
    env: quietEnvironment(start.dataFolder),
  });
}

const installed = new Map<string, Promise<string>>();

/** Returns an extensions folder that contains the project's VSIX. Each process installs the VSIX only once, and servers copy the folder. */
function installVsix(editor: InstalledEditor): Promise<string> {
  const { vscode } = editor.version;
  const folder = installed.get(vscode) ?? install(editor);
  installed.set(vscode, folder);
  return folder;
}

async function install(editor: InstalledEditor): Promise<string> {
  const { path } = temporaryFolder('di-install');
  const extensions = join(path, 'extensions');
  const args = [
    `--config=${join(path, 'code-server.yaml')}`,
    `--user-data-dir=${path}`,
    `--extensions-dir=${extensions}`,
    `--install-extension=${vsixFile}`,
  ];
  const entry = join(editor.codeServer, 'out', 'node', 'entry.js');
  await runProcess(editor.node, [entry, ...args], { env: quietEnvironment(path) });
  return extensions;
}

const PACK = { publisher: 'dataset-import-tests', name: 'language-pack', version: '1.0.0' };

/**
 * Installs an empty language pack: VS Code's own text stays in English, but extensions use the language. VS Code reads
 * `languagepacks.json` before it scans the extensions, so we list the pack there, too.
 */
function installLanguage(dataFolder: string, extensionsFolder: string, locale: string): void {
  const id = `${PACK.publisher}.${PACK.name}`;
  const folder = join(extensionsFolder, `${id}-${PACK.version}`);
  const translations = join(folder, 'translations', 'main.json');
  const localization = { languageId: locale, translations: [{ id: 'vscode', path: './translations/main.json' }] };
  const manifest = { ...PACK, engines: { vscode: '*' }, contributes: { localizations: [localization] } };
  writeJson(join(folder, 'package.json'), manifest);
  writeJson(translations, { version: '1.0.0', contents: {} });
  const listFile = join(extensionsFolder, 'extensions.json');
  const location = { $mid: 1, path: folder, scheme: 'file' };
  const entry = { identifier: { id }, version: PACK.version, location, relativeLocation: `${id}-${PACK.version}` };
  writeJson(listFile, [...JSON.parse(readFileSync(listFile, 'utf8')), entry]);
  const extensions = [{ extensionIdentifier: { id }, version: PACK.version }];
  const pack = { hash: 'tests', extensions, translations: { vscode: translations }, label: locale };
  writeJson(join(dataFolder, 'languagepacks.json'), { [locale]: pack });
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
