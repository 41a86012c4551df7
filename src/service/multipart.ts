import { PassThrough, Readable } from 'node:stream';
import type FormData from 'form-data';
import type { SourceBody } from './sourceBody';

const SLICE_BYTES = 64 * 1024;

/** A multipart form body (INTERFACE.md 4.1, rule 2), ready to be sent once. */
export interface MultipartBody {
  /** With the boundary. */
  readonly contentType: string;
  readonly sizeBytes: number;
  /** The body's bytes. Ends with the file's own error where the file cannot be read to its end. */
  bytes(): AsyncIterable<Uint8Array>;
}

/**
 * What the form is made of. Fields come first, so that a service has read them when the file begins (INTERFACE.md
 * 4.3: form parts are not shown).
 */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly filePart: string;
  readonly mediaType: string;
  readonly file: Pick<SourceBody, 'name' | 'sizeBytes' | 'chunks'>;
}

/**
 * Makes a multipart body of a form (INTERFACE.md 4.1, rule 2). Names go out as UTF-8; what would end or break a
 * header in them is percent-encoded.
 */
export function multipartBody({ fields, filePart, mediaType, file }: Form): MultipartBody {
  const Form: typeof FormData = require('form-data');
  const form = new Form();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const content = Readable.from(file.chunks(), { objectMode: false });
  form.append(filePart, content, {
    filename: headerSafe(file.name),
    contentType: mediaType,
    knownLength: file.sizeBytes,
  });
  return {
    contentType: `multipart/form-data; boundary=${form.getBoundary()}`,
    sizeBytes: form.getLengthSync(),
    bytes: () => drain(form, content),
  };
}

/**
 * A file's name fit for the header of its part (INTERFACE.md 4.1, rule 2): quotes, CR and LF are left to whoever
 * writes the form. A backslash at the end would escape the closing quote.
 */
export function headerSafe(name: string): string {
  const encode = (character: string) => encodeURIComponent(character);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not go out.
  return name.replaceAll(/[\u0000-\u001F\u007F]|\\$/g, encode);
}

/** Handed out in small pieces, so that a slow line is seen to move, although the file is read in large ones. */
function* slices(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += SLICE_BYTES) yield chunk.subarray(at, at + SLICE_BYTES);
}

/** form-data neither passes on a source's error nor destroys the source when it is dropped; this does both. */
async function* drain(form: FormData, content: Readable): AsyncGenerator<Uint8Array> {
  const out = new PassThrough();
  const fail = (error: Error) => out.destroy(error);
  content.once('error', fail);
  form.once('error', fail);
  try {
    for await (const chunk of form.pipe(out)) yield* slices(chunk);
  } finally {
    content.destroy();
  }
}
