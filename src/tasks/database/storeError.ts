/** The store of tracked tasks could not be used. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly reason: 'locked' | 'full' | 'damaged' | 'unusable';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.path = path;
    this.reason = reasonOf(cause);
  }
}

/** The primary result code that SQLite gave with an error; 0 where the error is not SQLite's. */
export function sqliteCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : 0;
}

function reasonOf(cause: unknown): StoreError['reason'] {
  switch (sqliteCode(cause)) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return 'locked';
    case 13: // SQLITE_FULL
      return 'full';
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return 'damaged';
    default:
      return (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC' ? 'full' : 'unusable';
  }
}
