import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { type Contract, isSuccessCode, SUCCESS_CODE } from '../contract/contract';
import { BadResponseError } from '../errors';
import { type HttpResponse, MAX_RESPONSE_BYTES } from '../http/exchange';
import type { Json, JsonObject } from '../json/json';
import { isExactNumber, isJsonObject, leafText, parseJson, stringifyJson } from '../json/json';
import type { KnownKeys } from '../masking/mask';
import type { Reading, Rejected, Rejection } from './outcome';

const EXCERPT_CHARACTERS = 200;

/**
 * Reads a response. A code that the contract declares takes precedence over the HTTP status, and the status takes precedence
 * over the envelope. Masks the `keys` before parsing, because the service may echo them.
 */
export function readResponse(http: HttpResponse, requestUrl: URL, keys: KnownKeys, codes: Contract['codes']): Reading {
  const { status } = http;
  const body = bodyText(http);
  const json = jsonIn(body.text, keys);
  const reading = body.fault ?? readEnvelope(status, body, json, keys, codes);
  const isReading = typeof reading === 'object';
  // With a redirect or a server error, this is true only if the contract declares the code.
  if (isReading && reading.kind === 'rejected' && (reading.badKey || reading.tryLater)) return reading;
  if (status >= 300 && status < 400) {
    const target = keys.mask(redirectTarget(http, requestUrl)).slice(0, EXCERPT_CHARACTERS);
    if (status === 307 || status === 308) return rejected({ by: 'redirect', status, target }, codes);
    // A service may accept a request and then redirect to a page about it.
    return { kind: 'unconfirmed', cause: new BadResponseError('redirect', status, target) };
  }
  if (isReading && status < 500) return reading;
  const excerpt = excerptOf(errorText(json) ?? (json === undefined ? keys.mask(body.text) : keys.maskJson(body.text)));
  if (status >= 400 && status < 500) return rejected({ by: 'status', status, excerpt }, codes);
  const reason = status >= 500 || isReading ? 'serverError' : reading;
  return { kind: 'unconfirmed', cause: new BadResponseError(reason, status, excerpt) };
}

/** Masks any keys in the text and parses the result. Returns undefined if it isn't JSON. */
function jsonIn(text: string, keys: KnownKeys): Json | undefined {
  try {
    return parseJson(keys.maskJson(text));
  } catch {
    return undefined;
  }
}

type Envelope = JsonObject & { readonly code: Json; readonly message?: Json; readonly data?: Json };

/** Reads the envelope. If the body isn't an envelope, returns the reason. */
function readEnvelope(
  status: number,
  body: BodyText,
  json: Json | undefined,
  keys: KnownKeys,
  codes: Contract['codes'],
): Reading | 'notJson' | 'notEnvelope' {
  if (json === undefined) return 'notJson';
  if (!isEnvelope(json)) return 'notEnvelope';
  const { code, message, data } = json;
  // Some services send `data` as a string that contains JSON.
  const inner = typeof data === 'string' && /^\s*[[{]/.test(data) ? jsonIn(data, keys) : undefined;
  const envelope = inner === undefined ? json : { ...json, data: inner };
  const response = { envelope, deviations: deviationsOf(body, json) };
  if (status < 300 && isSuccessCode(code)) return { kind: 'accepted', response };
  const words = { code: leafText(code) ?? '', message: leafText(message) ?? (message ? stringifyJson(message) : null) };
  return { ...rejected({ by: 'envelope', status, ...words }, codes), response };
}

function isEnvelope(json: Json): json is Envelope {
  if (!isJsonObject(json)) return false;
  const { code, data } = json as Envelope;
  // The number 0 may have another meaning, so it counts as the success code only if `data` is an object.
  if (typeof code !== 'string' && isSuccessCode(code)) return isJsonObject(data);
  return typeof code === 'string' || typeof code === 'number' || isExactNumber(code);
}

/** HTTP statuses that ask us to send the request again later. */
const TRY_LATER_STATUSES: readonly number[] = [408, 425, 429];

/** A code that the contract declares takes precedence over the HTTP status. */
function rejected(rejection: Rejection, codes: Contract['codes']): Rejected {
  const { status } = rejection;
  const isIn = (declared: readonly string[]) => rejection.by === 'envelope' && declared.includes(rejection.code);
  const [badKey, tryLater] = [isIn(codes.badKey), isIn(codes.tryLater)];
  if (badKey || tryLater) return { kind: 'rejected', rejection, badKey, tryLater: !badKey };
  return { kind: 'rejected', rejection, badKey: status === 401, tryLater: TRY_LATER_STATUSES.includes(status) };
}

/** Returns the message of a JSON error: `title` and `detail` (RFC 9457), or `error.message` or `message`. */
function errorText(json: Json | undefined): string | undefined {
  if (!isJsonObject(json)) return undefined;
  const { error, title, detail } = json;
  const words = title === undefined ? [(isJsonObject(error) ? error : json)['message']] : [title, detail];
  return words.flatMap((each) => leafText(each) || []).join(': ') || undefined;
}

/** Returns the beginning of the text, without HTML tags. */
function excerptOf(text: string): string {
  const words = /^\s*<[!a-z]/i.test(text) ? text.replace(/<[^<>]*>/g, ' ') : text;
  return words.replace(/\s+/g, ' ').trim().slice(0, EXCERPT_CHARACTERS);
}

/**
 * Describes how a response deviates from the documented envelope. The same deviation always has the same description,
 * so that it is logged only once.
 */
function deviationsOf({ text, coding }: BodyText, { code, message, data }: Envelope): string[] {
  const isZero = isSuccessCode(code);
  const possible: readonly (readonly [isSo: boolean, what: string])[] = [
    [coding !== undefined, `the response has a content coding that we didn't ask for (${coding})`],
    [text.startsWith('\uFEFF'), 'the JSON begins with a byte order mark'],
    [isZero && code !== SUCCESS_CODE, 'code is the number 0, not the string "0"'],
    [isZero && message !== null, `message is ${message === undefined ? 'absent' : 'not null'}`],
    [isZero && !isJsonObject(data), 'data is not an object'],
  ];
  return possible.flatMap(([isSo, what]) => (isSo ? what : []));
}

/** Returns an empty string if the redirect has no target. */
function redirectTarget({ headers }: HttpResponse, requestUrl: URL): string {
  const location = [headers['location']].flat()[0] ?? '';
  return location === '' ? '' : (URL.parse(location, requestUrl.href)?.origin ?? location);
}

type Decode = (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Decoders by content coding. Some servers send deflate without the zlib header that HTTP requires. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', (body, options) => (((body[0] ?? 0) & 15) === 8 ? inflateSync : inflateRawSync)(body, options)],
]);

/** A response's body as text. */
interface BodyText {
  readonly text: string;
  /** The body's content coding. Undefined if it has none, which is what we request. */
  readonly coding: string | undefined;
  /** Why the text can't be used. */
  readonly fault?: 'notJson' | 'tooLarge';
}

function bodyText(http: HttpResponse): BodyText {
  const { body, isCut, headers } = http;
  const name = String(headers['content-encoding'] ?? 'identity')
    .toLowerCase()
    .replace('x-gzip', 'gzip');
  const decode = DECODERS.get(name);
  const coding = decode ? name : name === 'identity' ? undefined : 'unknown';
  // Drop the last word of truncated text, because it may be the beginning of a key, which wouldn't be masked.
  if (isCut) return { text: decode ? '' : decoded(http, body).replace(/(?<!\S)\S+$/, ''), coding, fault: 'notJson' };
  if (decode === undefined) return { text: decoded(http, body), coding };
  try {
    return { text: decoded(http, decode(body, { maxOutputLength: MAX_RESPONSE_BYTES })), coding };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) return { text: '', coding, fault: 'tooLarge' };
    return { text: decoded(http, body), coding, fault: 'notJson' };
  }
}

/** Decodes with the Content-Type's charset, or as UTF-8 if the charset is missing or unknown. */
function decoded({ headers }: HttpResponse, bytes: Buffer): string {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(String(headers['content-type'] ?? ''))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString();
  }
}
