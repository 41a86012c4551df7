/** Why the store could not do what was asked. */
export type FaultReason =
  /** Another process keeps the lock. */
  | 'locked'
  | 'full'
  /** The file is not a database, or is inconsistent: it is set aside. */
  | 'damaged'
  /** The file has tables that are not ours: it is set aside. */
  | 'foreign'
  /** A newer version of the extension made the file: it is left alone. */
  | 'newer'
  /** A window with an older version still works with the file: it is migrated once that window has closed. */
  | 'older'
  /** The thread ended twice with the same operation. */
  | 'ended'
  /** Any other failure of the file or the disk. */
  | 'unusable'
  /** This operation alone is impossible: its data breaks a rule of the tables. */
  | 'invalid';

/** A failure of the store. A plain object can carry it from one thread to another. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';

  constructor(
    readonly reason: FaultReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function faultOf(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StoreFault(reasonOf(error), message, { cause: error });
}

/** Whether an error concerns one operation. All others roll back the whole transaction. */
export function isOwnFault(error: unknown): boolean {
  return faultOf(error).reason === 'invalid';
}

function reasonOf(error: unknown): FaultReason {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  switch (typeof errcode === 'number' ? errcode & 0xff : undefined) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return 'locked';
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return 'damaged';
    case 13: // SQLITE_FULL
      return 'full';
    case 3: // SQLITE_PERM
    case 7: // SQLITE_NOMEM
    case 8: // SQLITE_READONLY
    case 10: // SQLITE_IOERR
    case 14: // SQLITE_CANTOPEN
      return 'unusable';
    case undefined:
      if (code === 'ENOSPC') return 'full';
      return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? 'unusable' : 'invalid';
    default: // CONSTRAINT, TOOBIG, MISMATCH, ERROR
      return 'invalid';
  }
}
