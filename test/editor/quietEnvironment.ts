import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Environment variables for an editor without a marketplace, whose sockets and caches are in its data folder. */
export function quietEnvironment(dataFolder: string): NodeJS.ProcessEnv {
  const { XDG_RUNTIME_DIR: _, ...environment } = process.env;
  const temporary = join(dataFolder, 't');
  mkdirSync(temporary, { recursive: true });
  // On macOS, the path would be too long for a socket.
  const sockets = process.platform === 'darwin' ? {} : { TMPDIR: temporary };
  return { ...environment, ...sockets, EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '' }) };
}
