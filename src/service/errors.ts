/** No connection could be made, so the service didn't receive anything. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  constructor(
    /** `proxyLogin`: the proxy requires valid credentials; `proxyScheme`: undici doesn't support that kind of proxy. */
    readonly reason:
      | 'dns'
      | 'refused'
      | 'timedOut'
      | 'unreachable'
      | 'reset'
      | 'tls'
      | 'clientCertificate'
      | 'proxy'
      | 'proxyLogin'
      | 'proxyScheme'
      | 'other',
    /** The host and port of the service, or of the proxy if the proxy failed. */
    readonly host: string,
    options: { cause: unknown },
  ) {
    super(`${reason}: ${host}: ${causeText(options.cause)}`, options);
  }
}

/** The connection was closed, or nothing more arrived, before the response was complete. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
  constructor(
    /**
     * `reset`: the connection was closed while we were sending or waiting; `stalled`: we couldn't send any more;
     * `silent`: we sent everything, but got no response; `truncated`: the response was cut off.
     */
    readonly reason: 'reset' | 'stalled' | 'silent' | 'truncated',
    readonly host: string,
    options?: { cause: unknown },
  ) {
    super(`${reason}: ${host}`, options);
  }
}

/** The response doesn't show whether the service carried out the request. */
export class BadResponseError extends Error {
  override readonly name = 'BadResponseError';
  constructor(
    readonly reason: 'serverError' | 'notHttp' | 'largeHeaders' | 'notJson' | 'notEnvelope' | 'tooLarge' | 'redirect',
    readonly status: number,
    /** The first words of the response, or the target of a redirect, with the access key masked. */
    readonly excerpt: string,
  ) {
    super(`${reason}: HTTP ${status}: ${excerpt}`);
  }
}

/** A file that can't be sent, or that changed while it was being sent. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  constructor(
    readonly reason:
      | 'missing'
      /** The file's path is not valid UTF-8. */
      | 'invalidName'
      /** The file is on a network host that VS Code doesn't allow; `fileName` is the whole path. */
      | 'forbiddenHost'
      | 'unreadable'
      /** Another program is using the file, or a cloud drive can't provide it right now. */
      | 'busy'
      /** The path is a folder, a pipe or a device. */
      | 'notFile'
      | 'empty'
      /** The file was written while it was being sent. */
      | 'changed'
      /** The file is being written, so nothing was sent. */
      | 'changing'
      /** The file is in the task database's folder. */
      | 'ownStorage',
    readonly fileName: string,
    options?: { cause: unknown },
  ) {
    super(`${reason}: ${fileName}`, options);
  }
}

/** Returns the error if it is a SourceError. @throws any other error */
export function asSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  throw error;
}

/** The user canceled the operation. */
export class CanceledError extends Error {
  override readonly name = 'CanceledError';
  constructor() {
    super('canceled');
  }
}

/** A bug, or a failure that we didn't expect. */
export class UnexpectedError extends Error {
  override readonly name = 'UnexpectedError';
  constructor(options: { cause: unknown }) {
    super(causeText(options.cause), options);
  }
}

/** Why a step before the request failed. */
export function unsentCause(cause: unknown): SourceError | CanceledError | UnexpectedError {
  return cause instanceof SourceError || cause instanceof CanceledError ? cause : new UnexpectedError({ cause });
}

/** Why an operation didn't get a clear response. */
export type ServiceError =
  | ConnectError
  | ConnectionLostError
  | BadResponseError
  | SourceError
  | CanceledError
  | UnexpectedError;

/** Returns an error's message for the log. If it is an aggregate error, returns the messages of all its errors. */
export function causeText(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return cause.errors.map(causeText).join('; ');
  return cause instanceof Error
    ? cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name)
    : String(cause);
}
