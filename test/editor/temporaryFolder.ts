import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoAtExit } from './undoAtExit';

/** A new folder. It is deleted when `remove()` is called or when this process ends, whichever comes first. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** Creates a folder whose path contains `name`. Keep the name short, because the length of socket paths is limited. */
export function temporaryFolder(name: string): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  // Retry, because a process that was just killed may still be writing a file.
  const remove = undoAtExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return { path, remove };
}
