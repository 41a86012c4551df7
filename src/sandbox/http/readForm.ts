import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { readText, type TextReading } from './readText';
import type { RequestBody } from './requestBody';

/** One part of a multipart form, a file or a plain field. */
export interface ReceivedPart extends TextReading {
  readonly name: string | undefined;
  readonly fileName: string | undefined;
  /** Without its parameters, in lower case; `text/plain` where none was sent. */
  readonly mediaType: string;
}

/** What became of a multipart body. */
export type FormReading =
  | { readonly kind: 'read'; readonly parts: readonly ReceivedPart[] }
  | { readonly kind: 'malformed'; readonly reason: string };

// A form for one file and its fields needs far less; what comes beyond is refused instead of kept.
const limits = { parts: 50, headerSize: 8 * 1024, headerPairs: 50 };

/** Reads a multipart form to its end, whatever it holds. Throws when the client goes away. */
export async function readForm(body: RequestBody, contentType: string): Promise<FormReading> {
  const form = openForm(contentType);
  if (!form) {
    await body.drain();
    return { kind: 'malformed', reason: 'The Content-Type names no boundary.' };
  }
  const streams: BusboyFileStream[] = [];
  const parts: Promise<ReceivedPart>[] = [];
  form.on('file', (name, stream, fileName, _encoding, mediaType) => {
    streams.push(stream);
    parts.push(readPart(stream, name, fileName, mediaType));
  });
  const ended = endOf(form);
  try {
    for await (const chunk of body.chunks()) {
      // A form that is over, for good or bad, may leave a write waiting.
      await Promise.race([write(form, chunk), ended]);
    }
    form.end();
    const fault = await ended;
    return fault ? { kind: 'malformed', reason: fault } : { kind: 'read', parts: await Promise.all(parts) };
  } finally {
    // After a fault a part may wait for bytes that never come.
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(parts);
  }
}

function openForm(contentType: string): BusboyInstance | undefined {
  try {
    // Every part is read in the same way, so plain fields stream too.
    return new Busboy({
      headers: { 'content-type': contentType },
      limits,
      preservePath: true,
      isPartAFile: () => true,
    });
  } catch {
    return undefined;
  }
}

async function readPart(
  stream: BusboyFileStream,
  name: string | undefined,
  fileName: string | undefined,
  mediaType: string,
): Promise<ReceivedPart> {
  return { name, fileName, mediaType, ...(await readText(stream as AsyncIterable<Buffer>)) };
}

/** Ends with the fault, or undefined for a form that is whole. Listens on, as a broken form may complain more than once. */
function endOf(form: BusboyInstance): Promise<string | undefined> {
  return new Promise((resolve) => {
    form.on('finish', () => resolve(undefined));
    form.on('partsLimit', () => resolve(`The form has more than ${limits.parts} parts.`));
    form.on('error', (error) =>
      resolve(`The form is malformed: ${error instanceof Error ? error.message : 'unknown'}.`),
    );
  });
}

function write(form: BusboyInstance, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    form.write(chunk, () => resolve());
  });
}
