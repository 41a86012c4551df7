import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoAtExit } from './undoAtExit';

/** A new folder, which is deleted by `remove()`, or when this process ends. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** Creates a folder whose path contains `name`. Keep the name short: paths of sockets are limited. */
export function temporaryFolder(name: string): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  // Retried, because a process that was just killed may still be writing a file.
  const remove = undoAtExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return { path, remove };
}
