/** The standard envelope, as the sandbox fills it. */
export interface Envelope {
  readonly code: string;
  readonly message: string | null;
  readonly data: ResponseData | null;
}

/** Business data. */
export type ResponseData = Readonly<Record<string, unknown>>;

/** The sandbox's response to one request. */
export interface SandboxResponse {
  readonly status: number;
  /** Those beside the ones that every response has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly envelope: Envelope;
}

/**
 * Why a request is refused. Errors are not documented, so this table is the sandbox's own choice: a malformed
 * request gets an HTTP 4xx (or 5xx, where it is not to blame) whose number is also the envelope's code; a well-formed one
 * that the service cannot carry out gets HTTP 200 and a code of four digits. `data` is null in all of them.
 */
export const refusals = {
  badRequest: { status: 400, code: '400' },
  badKey: { status: 401, code: '401' },
  unknownPath: { status: 404, code: '404' },
  wrongMethod: { status: 405, code: '405' },
  tooLarge: { status: 413, code: '413' },
  wrongMediaType: { status: 415, code: '415' },
  wrongHost: { status: 421, code: '421' },
  tooLongHeaders: { status: 431, code: '431' },
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
  return { status: 200, envelope: { code: '0', message: null, data } };
}

/** The response to a request that did not: one of `refusals`, with a sentence for the person who reads it. */
export function refuse(
  refusal: keyof typeof refusals,
  message: string,
  headers?: SandboxResponse['headers'],
): SandboxResponse {
  const { status, code } = refusals[refusal];
  return { status, ...(headers ? { headers } : {}), envelope: { code, message, data: null } };
}
