import { randomUUID } from 'node:crypto';
import type FormData from 'form-data';
import type { SourceBody } from '../content/sourceBody';
import type { FileNameEncoding } from '../contract/contract';

/** Small enough that progress is visible and a slow connection doesn't look stalled. */
const SLICE_BYTES = 64 * 1024;

/** Used on fast connections, because each slice has overhead. */
const LARGE_SLICE_BYTES = 512 * 1024;

/** A connection that sends this much without a delay is fast, because buffers can't hold that much. */
const FAST_AFTER_BYTES = 16 * 1024 * 1024;
const DELAY_MS = 100;

/** The parts of a form. Fields come first, so that a service reads them before the file. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly filePart: string;
  readonly mediaType: string;
  readonly fileNameEncoding: FileNameEncoding;
  readonly file: Pick<SourceBody, 'name' | 'sizeBytes' | 'chunks'>;
}

/** Creates the multipart body of a form. In names, percent-encodes any characters that would break a header. */
export function multipartBody(form: Form, nowMs: () => number = () => performance.now()) {
  const Framing: typeof FormData = require('form-data');
  const { fields, filePart, mediaType, fileNameEncoding, file } = form;
  const framing = new Framing();
  // form-data's own boundary takes as long to generate as the rest of a small form.
  const boundary = `--------------------------${randomUUID()}`;
  framing.setBoundary(boundary);
  for (const [name, value] of Object.entries(fields)) framing.append(name, value);
  const fileName = `filename="${sentFileName(file.name, fileNameEncoding)}"`;
  const extended = fileNameEncoding === 'both' ? `; filename*=UTF-8''${percentEncoded(file.name)}` : '';
  const disposition = `form-data; name="${headerSafe(filePart)}"; ${fileName}${extended}`;
  const header = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${mediaType}\r\n\r\n`;
  // form-data doesn't forward a stream's errors, so we let it frame an empty file, and replace that with the real one.
  framing.append(filePart, Buffer.alloc(0), { header });
  const frame = framing.getBuffer();
  const end = frame.lastIndexOf(`\r\n--${boundary}--`);
  const parts = [frame.subarray(0, end), file, frame.subarray(end)] as const;
  const sizeBytes = frame.length + file.sizeBytes;
  /** Yields the bytes. Each call starts from the beginning. @throws SourceError if the file can't be read to the end */
  const bytes = () => (sizeBytes <= SLICE_BYTES ? inOnePiece(...parts) : inSlices(...parts, nowMs));
  return { contentType: `multipart/form-data; boundary=${boundary}`, sizeBytes, bytes };
}

/** Encodes a file name for the `filename` parameter. */
export function sentFileName(name: string, encoding: FileNameEncoding): string {
  return encoding === 'percent' ? percentEncoded(name) : headerSafe(name);
}

function percentEncoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(/[!'()*]/g, percent);
}

/**
 * Escapes quotes and line breaks as browsers do, and also other control characters. Escapes a backslash at the end, because
 * some parsers think that it escapes the closing quote.
 */
function headerSafe(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be sent.
  return name.replaceAll(/["\u0000-\u001F\u007F]|\\$/g, percent);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Yields slices. undici asks for the next slice once the socket has accepted the previous one. */
async function* inSlices(head: Buffer, file: Form['file'], tail: Buffer, nowMs: () => number): AsyncGenerator<Buffer> {
  yield head;
  let fastBytes = 0;
  for await (const chunk of file.chunks()) {
    for (let at = 0; at < chunk.length; ) {
      const slice = chunk.subarray(at, at + (fastBytes < FAST_AFTER_BYTES ? SLICE_BYTES : LARGE_SLICE_BYTES));
      const givenMs = nowMs();
      yield slice;
      fastBytes = nowMs() - givenMs < DELAY_MS ? fastBytes + slice.length : 0;
      at += slice.length;
    }
  }
  yield tail;
}

/** Yields a small body in one piece, because each write has overhead. */
async function* inOnePiece(head: Buffer, file: Form['file'], tail: Buffer): AsyncGenerator<Buffer> {
  const pieces = [head];
  // A file this small has only one chunk, so the chunk stays valid until the pieces are joined.
  for await (const chunk of file.chunks()) pieces.push(chunk);
  yield Buffer.concat([...pieces, tail]);
}
