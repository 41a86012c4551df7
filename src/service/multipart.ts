import { PassThrough, Readable } from 'node:stream';
import type FormData from 'form-data';
import type { FileBody } from './fileBody';

/** A multipart form body (INTERFACE.md 4.1, rule 2), ready to be sent once. */
export interface MultipartBody {
  /** With the boundary. */
  readonly contentType: string;
  readonly sizeBytes: number;
  /** The body's bytes. Ends with the file's own error where the file cannot be read to its end. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** What the form is made of. Fields come first, so that a service has read them when the file begins. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly filePart: string;
  readonly mediaType: string;
  readonly file: Pick<FileBody, 'name' | 'sizeBytes' | 'chunks'>;
}

/** Makes a multipart body of a form. Names are escaped by form-data (quotes, CR, LF) and go out as UTF-8. */
export function multipartBody({ fields, filePart, mediaType, file }: Form): MultipartBody {
  const Form: typeof FormData = require('form-data');
  const form = new Form();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const content = Readable.from(file.chunks(), { objectMode: false });
  form.append(filePart, content, { filename: file.name, contentType: mediaType, knownLength: file.sizeBytes });
  return {
    contentType: `multipart/form-data; boundary=${form.getBoundary()}`,
    sizeBytes: form.getLengthSync(),
    bytes: () => drain(form, content),
  };
}

/** form-data neither passes on a source's error nor destroys the source when it is dropped; this does both. */
async function* drain(form: FormData, content: Readable): AsyncGenerator<Uint8Array> {
  const out = new PassThrough();
  const fail = (error: Error) => out.destroy(error);
  content.once('error', fail);
  form.once('error', fail);
  try {
    yield* form.pipe(out);
  } finally {
    content.destroy();
  }
}
