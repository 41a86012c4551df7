import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoAtExit } from './undoAtExit';

/** A folder of its own, empty, and gone after `remove()` or at the latest when this process ends. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** Makes one; `name` (short: sockets with a limited path are put in there) shows in its path. */
export function temporaryFolder(name: string): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  // Retried, for a process that was killed a moment ago may still be writing its last file.
  const remove = undoAtExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return { path, remove };
}
