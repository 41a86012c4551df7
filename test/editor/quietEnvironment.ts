import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Environment variables for an editor that has no marketplace and keeps its sockets and caches in its data folder. */
export function quietEnvironment(dataFolder: string): NodeJS.ProcessEnv {
  const { XDG_RUNTIME_DIR: _, ...environment } = process.env;
  const temporary = join(dataFolder, 't');
  mkdirSync(temporary, { recursive: true });
  // On macOS, the path of a socket in this folder would be too long.
  const sockets = process.platform === 'darwin' ? {} : { TMPDIR: temporary };
  return { ...environment, ...sockets, EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '' }) };
}
