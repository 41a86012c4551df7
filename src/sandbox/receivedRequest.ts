import type { IncomingMessage } from 'node:http';
import type { Handled } from './handleRequest';
import type { ReceivedPart } from './http/readForm';
import type { RequestBody } from './http/requestBody';
import type { Reply } from './http/response';

/** One request as the sandbox saw it, with secrets masked, to be shown to the person who sent it. */
export interface ReceivedRequest {
  /** When it began, in milliseconds by the sandbox's clock. */
  readonly receivedAt: number;
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  /** As they came: their order, their spelling, each one that was repeated. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: {
    readonly bytes: number;
    /** The beginning as text, about a thousand bytes. */
    readonly start: string;
    /** Whether more came than is shown. */
    readonly cut: boolean;
  };
  /** The parts of a multipart form; empty for all other requests. */
  readonly parts: readonly ReceivedPart[];
  readonly response: Reply;
}

const mask = '********';

/**
 * The record of a request, with the sandbox's key masked wherever it occurs. The value of Access-Key is masked even when
 * it is wrong: it may open another service.
 */
export function recordRequest(
  request: IncomingMessage,
  receivedAt: number,
  body: RequestBody,
  { reply, parts }: Handled,
  accessKey: string,
): ReceivedRequest {
  const masked = (text: string) => text.replaceAll(accessKey, mask);
  return {
    receivedAt,
    method: request.method ?? '',
    target: masked(request.url ?? ''),
    httpVersion: request.httpVersion,
    headers: headerPairs(request.rawHeaders).map(([name, value]) => [
      name,
      name.toLowerCase() === 'access-key' ? mask : masked(value),
    ]),
    body: { bytes: body.bytes, start: masked(body.start), cut: body.cut },
    parts: parts.map((part) => ({ ...part, firstLines: masked(part.firstLines) })),
    response: 'body' in reply ? { ...reply, body: masked(reply.body) } : reply,
  };
}

function headerPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []));
}
