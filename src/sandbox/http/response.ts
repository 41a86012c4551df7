/** Business data. */
export type ResponseData = Readonly<Record<string, unknown>>;

/** The sandbox's response to one request as it goes over the wire, without its Content-Length. */
export interface SandboxResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the client gets for its request. */
export type Reply =
  | ({ readonly kind: 'sent' } & SandboxResponse)
  /** A whole HTTP response whose body ends too early. */
  | ({ readonly kind: 'cutShort'; readonly wholeBytes: number } & SandboxResponse)
  /** The request was carried out, and its connection reset instead of this response. */
  | ({ readonly kind: 'lost' } & SandboxResponse)
  /** The connection was reset while the request was read. */
  | { readonly kind: 'reset'; readonly readBytes: number; readonly wholeBytes: number | undefined }
  /** Nothing, as the client went away before its request was complete. */
  | { readonly kind: 'clientWentAway' };

/**
 * Why a request is refused. Errors are not documented, so this table is the sandbox's own choice: a malformed
 * request gets an HTTP 4xx (or 5xx, where it is not to blame) whose number is also the envelope's code; a well-formed one
 * that the service cannot carry out gets HTTP 200 and a code of four digits. `data` is null in all of them.
 */
const refusals = {
  badRequest: { status: 400, code: '400' },
  badKey: { status: 401, code: '401' },
  unknownPath: { status: 404, code: '404' },
  wrongMethod: { status: 405, code: '405' },
  tooLarge: { status: 413, code: '413' },
  wrongMediaType: { status: 415, code: '415' },
  wrongHost: { status: 421, code: '421' },
  tooMany: { status: 429, code: '429' },
  internal: { status: 500, code: '500' },
  unavailable: { status: 503, code: '503' },
  noFile: { status: 200, code: '1001' },
  emptyFile: { status: 200, code: '1002' },
  unknownTask: { status: 200, code: '1003' },
  webhookNotLoopback: { status: 200, code: '1004' },
  datasetFull: { status: 200, code: '1007' },
} as const;

/** The response to a request that succeeded. */
export function accept(data: ResponseData): SandboxResponse {
  return inEnvelope(200, {}, { code: '0', message: null, data });
}

/** Thrown by whatever finds that a request cannot be carried out; the message is for the person who reads the response. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly response: SandboxResponse;

  constructor(why: keyof typeof refusals, message: string, headers: SandboxResponse['headers'] = {}) {
    super(message);
    const { status, code } = refusals[why];
    this.response = inEnvelope(status, headers, { code, message, data: null });
  }
}

function inEnvelope(status: number, headers: SandboxResponse['headers'], envelope: object): SandboxResponse {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(envelope) };
}
