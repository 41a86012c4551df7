import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The environment of an editor that knows no gallery and keeps its sockets and caches in its data folder. */
export function quietEnvironment(dataFolder: string): NodeJS.ProcessEnv {
  const { XDG_RUNTIME_DIR: _, ...environment } = process.env;
  const temporary = join(dataFolder, 't');
  mkdirSync(temporary, { recursive: true });
  // On macOS the path would be too long for a socket.
  const sockets = process.platform === 'darwin' ? {} : { TMPDIR: temporary };
  return { ...environment, ...sockets, EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '' }) };
}
