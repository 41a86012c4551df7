import { randomUUID } from 'node:crypto';
import type FormData from 'form-data';
import type { SourceBody } from '../content/sourceBody';
import type { FileNameEncoding } from '../contract/contract';

/** So much is written at a time, so that progress is seen, and a slow connection does not look silent. */
const SLICE_BYTES = 64 * 1024;

/** So much where the connection is fast: each slice costs as much as many of its bytes. */
const LARGE_SLICE_BYTES = 512 * 1024;

/** A connection is fast once so much has left without a delay: more than its buffers take in. */
const FAST_AFTER_BYTES = 16 * 1024 * 1024;
const DELAY_MS = 100;

/** A multipart form body, ready to be sent. */
export interface MultipartBody {
  /** With the boundary. */
  readonly contentType: string;
  readonly sizeBytes: number;
  /** The bytes, from the first one on at each call. Ends with the own error of a file that cannot be read to its end. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** What the form is made of. Fields come first, so that a service has read them when the file begins. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly filePart: string;
  readonly mediaType: string;
  readonly fileNameEncoding: FileNameEncoding;
  readonly file: Pick<SourceBody, 'name' | 'sizeBytes' | 'chunks'>;
}

/** Makes a multipart body of a form. What would end or break a header is percent-encoded in names. */
export function multipartBody(form: Form, nowMs: () => number = () => performance.now()): MultipartBody {
  const Framing: typeof FormData = require('form-data');
  const { fields, filePart, mediaType, file } = form;
  const framing = new Framing();
  // Its own one takes as long to make as all else of a small form.
  const boundary = `--------------------------${randomUUID()}`;
  framing.setBoundary(boundary);
  for (const [name, value] of Object.entries(fields)) framing.append(name, value);
  const disposition = `form-data; name="${headerSafe(filePart)}"; ${fileNameParameters(form)}`;
  const header = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${mediaType}\r\n\r\n`;
  // form-data forwards no error of a stream, so it frames an empty file, and the real one is put in its place.
  framing.append(filePart, Buffer.alloc(0), { header });
  const frame = framing.getBuffer();
  const end = frame.lastIndexOf(`\r\n--${boundary}--`);
  const parts = [frame.subarray(0, end), file, frame.subarray(end)] as const;
  const sizeBytes = frame.length + file.sizeBytes;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    sizeBytes,
    bytes: () => (sizeBytes <= SLICE_BYTES ? inOnePiece(...parts) : inSlices(...parts, nowMs)),
  };
}

function fileNameParameters({ file, fileNameEncoding }: Form): string {
  const parameter = `filename="${sentFileName(file.name, fileNameEncoding)}"`;
  return fileNameEncoding === 'both' ? `${parameter}; filename*=UTF-8''${percentEncoded(file.name)}` : parameter;
}

/** The name of a file as it is written in the parameter `filename`. */
export function sentFileName(name: string, encoding: FileNameEncoding): string {
  return encoding === 'percent' ? percentEncoded(name) : headerSafe(name);
}

function percentEncoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(/[!'()*]/g, percent);
}

/**
 * A name with the escapes of browsers for quotes and line breaks, and the same for other control characters. A backslash
 * at its end too: some parsers would take it for an escape of the closing quote.
 */
function headerSafe(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not go out.
  return name.replaceAll(/["\u0000-\u001F\u007F]|\\$/g, percent);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** In slices. Each is asked for once the one before has left, but for the little that a socket takes in at once. */
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

/** For a small body: each write would cost as much as its bytes do. */
async function* inOnePiece(head: Buffer, file: Form['file'], tail: Buffer): AsyncGenerator<Buffer> {
  const pieces = [head];
  // One chunk holds all of so small a file.
  for await (const chunk of file.chunks()) pieces.push(chunk);
  yield Buffer.concat([...pieces, tail]);
}
