/** The service got nothing of the body: no connection to it could be made (INTERFACE.md 7: failures are not shown). */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  constructor(
    readonly reason: 'dns' | 'refused' | 'timedOut' | 'unreachable' | 'reset' | 'tls' | 'proxy' | 'other',
    /** Host and port that were asked for. */
    readonly host: string,
    options: { cause: unknown },
  ) {
    super(`${reason}: ${host}: ${causeText(options.cause)}`, options);
  }
}

/**
 * The connection was there and ended, or fell silent, before a whole answer had come (INTERFACE.md 7: failures are
 * not shown).
 */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  constructor(
    /** `reset`: closed under way; `stalled`: nothing could be sent any more; `silent`: sent, and no answer came; `truncated`: the answer broke off. */
    readonly reason: 'reset' | 'stalled' | 'silent' | 'truncated',
    readonly host: string,
    options?: { cause: unknown },
  ) {
    super(`${reason}: ${host}`, options);
  }
}

/** An answer came that does not say whether the request was carried out (INTERFACE.md 7: errors are not shown). */
export class BadAnswerError extends Error {
  override readonly name = 'BadAnswerError';
  constructor(
    readonly reason: 'serverError' | 'notJson' | 'notEnvelope' | 'tooLarge' | 'redirect',
    readonly status: number,
    /** The first words of the answer, of a redirect its target; the access key masked. */
    readonly excerpt: string,
  ) {
    super(`${reason}: HTTP ${status}: ${excerpt}`);
  }
}

/** The file to be sent cannot be, or changed while it was (INTERFACE.md 4.3: a text file is what is imported). */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  constructor(
    /** `changed`: while it was read; `changing`: nothing of it was sent, as it would not rest. */
    readonly reason: 'missing' | 'unreadable' | 'folder' | 'empty' | 'binary' | 'changed' | 'changing',
    readonly fileName: string,
    options?: { cause: unknown },
  ) {
    super(`${reason}: ${fileName}`, options);
  }
}

/** The user asked to stop (INTERFACE.md 4.5: no operation takes an import back). */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
  constructor() {
    super('cancelled');
  }
}

/** Something went wrong that should not be able to (INTERFACE.md 7: failures are not shown). */
export class UnexpectedError extends Error {
  override readonly name = 'UnexpectedError';
  constructor(options: { cause: unknown }) {
    super(causeText(options.cause), options);
  }
}

/** Everything that can keep an operation from a clear answer (INTERFACE.md 7: failures are not shown). */
export type ServiceError =
  | ConnectError
  | ConnectionLostError
  | BadAnswerError
  | SourceError
  | CancelledError
  | UnexpectedError;

/**
 * The words of an error and of its causes, for the log (INTERFACE.md 7: failures are not shown, so causes are told as
 * they come).
 */
export function causeText(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.map(causeText).join('; ');
  return cause instanceof Error
    ? cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name)
    : String(cause);
}
