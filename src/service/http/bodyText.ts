import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { HttpResponse } from './exchange';

const MAX_BYTES = 1024 * 1024;

type Decode = (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Decoders by content coding. Some servers send deflate without the zlib header that HTTP requires. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', (body, options) => (((body[0] ?? 0) & 15) === 8 ? inflateSync : inflateRawSync)(body, options)],
]);

/** A response's body as text. */
export interface BodyText {
  readonly text: string;
  /** The body's content coding; undefined if it has none, which is what we ask for. */
  readonly coding: string | undefined;
  /** Why the text can't be used. */
  readonly fault?: 'notJson' | 'tooLarge';
}

export function bodyText(http: HttpResponse): BodyText {
  const { body, isCut, headers } = http;
  const name = String(headers['content-encoding'] ?? 'identity')
    .toLowerCase()
    .replace('x-gzip', 'gzip');
  const decode = DECODERS.get(name);
  const coding = decode ? name : name === 'identity' ? undefined : 'unknown';
  if (isCut) return { text: decode ? '' : decoded(http, body), coding, fault: 'notJson' };
  if (decode === undefined) return { text: decoded(http, body), coding };
  try {
    return { text: decoded(http, decode(body, { maxOutputLength: MAX_BYTES })), coding };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) return { text: '', coding, fault: 'tooLarge' };
    return { text: decoded(http, body), coding, fault: 'notJson' };
  }
}

/** Decodes with the charset of the Content-Type, or as UTF-8 if the charset is missing or unknown. */
function decoded({ headers }: HttpResponse, bytes: Buffer): string {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(String(headers['content-type'] ?? ''))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString();
  }
}
