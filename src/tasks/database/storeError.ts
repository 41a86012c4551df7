/** The task database, or the folder for texts beside it, could not be used. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly path: string;
  /** `ended`: its thread did, so that it is not known what was written. */
  readonly reason: 'locked' | 'full' | 'damaged' | 'otherSchema' | 'ended' | 'unusable';

  constructor(path: string, cause: unknown, reason: StoreError['reason'] = reasonOf(cause)) {
    super(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.path = path;
    this.reason = reason;
  }
}

/** A file has other tables than this version of the extension. */
export class OtherSchemaError extends Error {
  override readonly name = 'OtherSchemaError';

  constructor() {
    super('It was written by another version of the extension.');
  }
}

/** Repeats an operation for as long as another process holds the lock. A refused attempt has written nothing. */
export async function untilUnlocked<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreError && error.reason === 'locked')) throw error;
    }
  }
}

/** The primary result code that SQLite gave with an error; 0 where the error is not SQLite's. */
export function sqliteCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : 0;
}

function reasonOf(cause: unknown): StoreError['reason'] {
  if (cause instanceof OtherSchemaError) return 'otherSchema';
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
