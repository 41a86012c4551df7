import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { type Contract, isSuccessCode, SUCCESS_CODE } from '../contract/contract';
import { BadResponseError } from '../errors';
import type { HttpResponse } from '../http/exchange';
import { isExactNumber, isJsonObject, type Json, type JsonObject, leafText, parseJson } from '../json/json';
import type { KnownKeys } from '../masking/mask';
import type { Reading, Rejection } from './outcome';

const MAX_TEXT_BYTES = 1024 * 1024;
const EXCERPT_CHARACTERS = 200;

/**
 * Reads a response. A declared code decides, whatever the HTTP status; then the status; then the envelope. The service may
 * echo the `keys`, so they are masked in the text before it is parsed.
 */
export function readResponse(http: HttpResponse, requestUrl: URL, keys: KnownKeys, codes: Contract['codes']): Reading {
  const { status } = http;
  const { text, fault } = bodyText(http);
  const json = jsonIn(text, keys);
  const reading = fault ?? readJson(http, text, json, keys);
  if (typeof reading === 'object' && reading.kind === 'rejected' && isDeclared(reading.rejection, codes))
    return reading;
  if (status >= 300 && status < 400) {
    const target = keys.mask(redirectTarget(http, requestUrl)).slice(0, EXCERPT_CHARACTERS);
    if (status === 307 || status === 308) return { kind: 'rejected', rejection: { by: 'redirect', status, target } };
    // A service may accept a request and then redirect to a page about it.
    return { kind: 'unconfirmed', cause: new BadResponseError('redirect', status, target) };
  }
  if (typeof reading === 'object' && status < 500) return reading;
  const excerpt = excerptOf(errorText(json) ?? keys.mask(text));
  if (status >= 400 && status < 500) return { kind: 'rejected', rejection: { by: 'status', status, excerpt } };
  const reason = typeof reading === 'object' ? 'serverError' : reading;
  return { kind: 'unconfirmed', cause: new BadResponseError(status >= 500 ? 'serverError' : reason, status, excerpt) };
}

/** The JSON that a text is, with keys masked; undefined if it isn't JSON. */
function jsonIn(text: string, keys: KnownKeys): Json | undefined {
  try {
    return parseJson(keys.maskJson(text));
  } catch {
    return undefined;
  }
}

/** Reads the envelope, or returns why the body isn't one. */
function readJson(
  http: HttpResponse,
  text: string,
  json: Json | undefined,
  keys: KnownKeys,
): Reading | 'notJson' | 'notEnvelope' {
  if (json === undefined) return 'notJson';
  if (!isEnvelope(json)) return 'notEnvelope';
  const { code, message } = json;
  const isZero = isSuccessCode(code);
  const response = { envelope: withReadData(json, keys), deviations: deviationsOf(http, text, json) };
  if (http.status < 300 && isZero) return { kind: 'accepted', response };
  const rejection = {
    by: 'envelope',
    status: http.status,
    code: leafText(code) ?? '',
    message: leafText(message) ?? null,
  } as const;
  return { kind: 'rejected', rejection, response };
}

/** Some services send `data` as text that contains JSON. */
function withReadData(envelope: JsonObject, keys: KnownKeys): JsonObject {
  const { data } = envelope;
  const read = typeof data === 'string' && /^\s*[[{]/.test(data) ? jsonIn(data, keys) : undefined;
  return read === undefined ? envelope : { ...envelope, data: read };
}

/** What an error in JSON says: `title` and `detail` as in RFC 9457, otherwise `error.message` or `message`. */
function errorText(json: Json | undefined): string | undefined {
  if (!isJsonObject(json)) return undefined;
  const { error, title, detail } = json;
  const words = title === undefined ? [(isJsonObject(error) ? error : json)['message']] : [title, detail];
  return words.flatMap((each) => leafText(each) || []).join(': ') || undefined;
}

function isDeclared(rejection: Rejection, { badKey, tryLater }: Contract['codes']): boolean {
  return rejection.by === 'envelope' && [...badKey, ...tryLater].includes(rejection.code);
}

/** The first words of a text; of HTML without its tags. */
function excerptOf(text: string): string {
  const words = /^\s*<[!a-z]/i.test(text) ? text.replace(/<[^<>]*>/g, ' ') : text;
  return words.replace(/\s+/g, ' ').trim().slice(0, EXCERPT_CHARACTERS);
}

type Envelope = JsonObject & { readonly code: Json; readonly message?: Json; readonly data?: Json };

function isEnvelope(json: Json): json is Envelope {
  if (!isJsonObject(json)) return false;
  const { code, data } = json as Envelope;
  // A number 0 may mean success or not; `data` must say it.
  if (typeof code !== 'string' && isSuccessCode(code)) return isJsonObject(data);
  return typeof code === 'string' || typeof code === 'number' || isExactNumber(code);
}

/** None of them repeats what the service wrote: each is noted once, however many responses come. */
function deviationsOf(http: HttpResponse, text: string, { code, message, data }: Envelope): string[] {
  const encoding = encodingOf(http);
  const isZero = isSuccessCode(code);
  const possible: readonly (readonly [isSo: boolean, what: string])[] = [
    [DECODERS.has(encoding), `the response is compressed (${encoding}) without being asked to be`],
    [![UNCODED, ...DECODERS.keys()].includes(encoding), 'the response names an encoding that is not known'],
    [text.startsWith('\uFEFF'), 'a byte order mark stands before the JSON'],
    [isZero && code !== SUCCESS_CODE, 'code is the number 0, not the string "0"'],
    [isZero && message !== null, `message is ${message === undefined ? 'absent' : 'not null'}`],
    [isZero && !isJsonObject(data), 'data is not an object'],
  ];
  return possible.flatMap(([isSo, what]) => (isSo ? what : []));
}

/** Empty if the redirect doesn't say where to. */
function redirectTarget({ headers }: HttpResponse, requestUrl: URL): string {
  const location = [headers['location']].flat()[0] ?? '';
  return location === '' ? '' : (URL.parse(location, requestUrl.href)?.origin ?? location);
}

const UNCODED = 'identity';

type Decode = (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** By content coding. Some servers send deflate without the zlib header that HTTP demands. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', (body, options) => (((body[0] ?? 0) & 15) === 8 ? inflateSync : inflateRawSync)(body, options)],
]);

function encodingOf({ headers }: HttpResponse): string {
  const encoding = String(headers['content-encoding'] ?? UNCODED).toLowerCase();
  return encoding === 'x-gzip' ? 'gzip' : encoding;
}

/** The body as text, and why it is not the text that the service meant. */
function bodyText(http: HttpResponse): { readonly text: string; readonly fault?: 'notJson' | 'tooLarge' } {
  const { body, isCut } = http;
  const decode = DECODERS.get(encodingOf(http));
  if (isCut) return { text: decode === undefined ? decoded(http, body) : '', fault: 'notJson' };
  if (decode === undefined) return { text: decoded(http, body) };
  try {
    return { text: decoded(http, decode(body, { maxOutputLength: MAX_TEXT_BYTES })) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? { text: '', fault: 'tooLarge' } : { text: decoded(http, body), fault: 'notJson' };
  }
}

/** Decodes by the charset of the Content-Type; as UTF-8 if there is none, or it is not known. */
function decoded({ headers }: HttpResponse, bytes: Buffer): string {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(String(headers['content-type'] ?? ''))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString();
  }
}
