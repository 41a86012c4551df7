/** Why a store operation failed. */
export type FaultReason =
  /** Another process holds the lock, or the drive can't lock files. */
  | 'locked'
  /** The disk is full, a quota is exceeded, or a write failed. */
  | 'full'
  /** The file is not a database, or it is corrupt. It is set aside. */
  | 'damaged'
  /** The file has another program's tables. It is set aside. */
  | 'foreign'
  /** The file was created by a newer version of the extension. It is left alone. */
  | 'newer'
  /** A window with an older version still uses the file. It is migrated once that window has closed. */
  | 'older'
  /** The worker exited twice during the same operation. */
  | 'ended'
  /** Any other failure of the file or the disk. */
  | 'unusable'
  /** Only this operation failed, because its data violates a table constraint. */
  | 'invalid';

/** A store failure. Only its reason and message are sent between threads. */
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
  return new StoreFault(reasonOf(error), error instanceof Error ? error.message : String(error), { cause: error });
}

const CODES = {
  // BUSY, LOCKED, and the IOERR codes for locking, because some network drives can't lock files.
  locked: [5, 6, 2058, 2314, 3594, 3850],
  // CORRUPT, NOTADB
  damaged: [11, 26],
  // FULL, and the IOERR codes for writing, syncing and truncating, because SQLite has no code for an exceeded quota.
  full: [13, 778, 1034, 1546],
  // PERM, NOMEM, READONLY, IOERR, CANTOPEN
  unusable: [3, 7, 8, 10, 14],
} as const;

/** Any SQLite code that isn't listed above affects only a single operation: CONSTRAINT, TOOBIG, MISMATCH, ERROR. */
function reasonOf(error: unknown): FaultReason {
  const { errcode, code } = (error ?? {}) as { errcode?: unknown; code?: unknown };
  const reasons = Object.entries(CODES) as [FaultReason, readonly number[]][];
  const reasonFor = (number: number) => reasons.find(([, codes]) => codes.includes(number))?.[0];
  // The low byte is the primary code. The higher bytes add details.
  if (typeof errcode === 'number') return reasonFor(errcode) ?? reasonFor(errcode & 0xff) ?? 'invalid';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? 'unusable' : 'invalid';
}
