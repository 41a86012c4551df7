import { join } from 'node:path';
import { vsixFile } from '../suites/project';
import type { InstalledEditor } from './installEditor';
import { quietEnvironment } from './quietEnvironment';
import { runProcess } from './runProcess';
import { temporaryFolder } from './temporaryFolder';

const installed = new Map<string, Promise<string>>();

/** An extensions folder with the project's VSIX. Each process installs the VSIX only once, and servers copy the folder. */
export function installVsix(editor: InstalledEditor): Promise<string> {
  const { vscode } = editor.version;
  const folder = installed.get(vscode) ?? install(editor);
  installed.set(vscode, folder);
  return folder;
}

async function install(editor: InstalledEditor): Promise<string> {
  const { path } = temporaryFolder('di-install');
  const extensions = join(path, 'extensions');
  const args = [
    ...['--config', join(path, 'code-server.yaml'), '--user-data-dir', path],
    ...['--extensions-dir', extensions, '--install-extension', vsixFile],
  ];
  const entry = join(editor.codeServer, 'out', 'node', 'entry.js');
  await runProcess(editor.node, [entry, ...args], { env: quietEnvironment(path) });
  return extensions;
}
