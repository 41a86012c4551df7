import { randomUUID } from 'node:crypto';
import type FormData from 'form-data';
import type { SourceBody } from '../content/sourceBody';

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
  readonly file: Pick<SourceBody, 'name' | 'sizeBytes' | 'chunks'>;
}

/**
 * Makes a multipart body of a form. Names go out as UTF-8; what would end or break a header is percent-encoded.
 */
export function multipartBody(
  { fields, filePart, mediaType, file }: Form,
  nowMs: () => number = () => performance.now(),
): MultipartBody {
  const Form: typeof FormData = require('form-data');
  const form = new Form();
  // Its own one takes as long to make as all else of a small form.
  form.setBoundary(`--------------------------${randomUUID()}`);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(filePart, Buffer.alloc(0), { filename: headerSafe(file.name), contentType: mediaType });
  // form-data forwards no error of a stream, so it frames an empty file, and the real one is put in its place.
  const frame = form.getBuffer();
  const end = frame.lastIndexOf(`\r\n--${form.getBoundary()}--`);
  const parts = [frame.subarray(0, end), file, frame.subarray(end)] as const;
  const sizeBytes = frame.length + file.sizeBytes;
  return {
    contentType: `multipart/form-data; boundary=${form.getBoundary()}`,
    sizeBytes,
    bytes: () => (sizeBytes <= SLICE_BYTES ? inOnePiece(...parts) : inSlices(...parts, nowMs)),
  };
}

/**
 * A file's name fit for the header of its part: quotes, CR and LF are left to whoever writes the form. A backslash at
 * the end would escape the closing quote.
 */
export function headerSafe(name: string): string {
  const encode = (character: string) => encodeURIComponent(character);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not go out.
  return name.replaceAll(/[\u0000-\u001F\u007F]|\\$/g, encode);
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
