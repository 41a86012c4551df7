import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installedExtensionsFolder, vsixFile } from '../suites/project';
import type { InstalledEditor } from './installEditor';
import { quietEnvironment } from './quietEnvironment';
import { runProcess } from './runProcess';
import { temporaryFolder } from './temporaryFolder';

/**
 * A folder of extensions with the project's VSIX in it, for servers to have a copy of. VS Code installs a VSIX once for
 * each editor, beside the place and moved there when whole, as several processes may need it at once.
 */
export async function installVsix(editor: InstalledEditor): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(vsixFile)).digest('hex').slice(0, 16);
  const folder = join(installedExtensionsFolder, `${editor.version.vscode}-${hash}`);
  if (existsSync(folder)) return folder;
  const building = `${folder}.${process.pid}.partial`;
  // Older editors make only the last folder of a path.
  mkdirSync(installedExtensionsFolder, { recursive: true });
  const temporary = temporaryFolder('di-install');
  const args = [
    ...['--config', join(temporary.path, 'code-server.yaml'), '--user-data-dir', temporary.path],
    ...['--extensions-dir', building, '--install-extension', vsixFile],
  ];
  const entry = join(editor.codeServer, 'out', 'node', 'entry.js');
  await runProcess(editor.node, [entry, ...args], { env: quietEnvironment(temporary.path) });
  temporary.remove();
  try {
    renameSync(building, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(building, { recursive: true, force: true });
  }
  return folder;
}
