import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { readText, type TextReading } from './readText';
import type { RequestBody } from './requestBody';
import { RefusedRequest } from './response';

/** One part of a multipart form, a file or a plain field. */
export interface ReceivedPart extends TextReading {
  readonly name: string | undefined;
  readonly fileName: string | undefined;
  /** Without its parameters, in lower case; `text/plain` where none was sent. */
  readonly mediaType: string;
}

// Far more than a form with one file needs; beyond them it is refused.
const limits = { parts: 50, headerSize: 8 * 1024, headerPairs: 50 };

/** Reads a multipart form to its end, whatever it holds. @throws RefusedRequest, or where the client goes away */
export async function readForm(body: RequestBody, contentType: string): Promise<readonly ReceivedPart[]> {
  const form = openForm(contentType);
  const streams: BusboyFileStream[] = [];
  const parts: Promise<ReceivedPart>[] = [];
  form.on('file', (name, stream, fileName, _encoding, mediaType) => {
    streams.push(stream);
    const reading = readText(stream as AsyncIterable<Buffer>);
    parts.push(reading.then((text) => ({ name, fileName, mediaType, ...text })));
  });
  const ended = endOf(form);
  try {
    for await (const chunk of body.chunks()) {
      // A form that has ended or failed may never call back for a write.
      await Promise.race([write(form, chunk), ended]);
    }
    form.end();
    const fault = await ended;
    if (fault !== undefined) throw new RefusedRequest('badRequest', fault);
    return await Promise.all(parts);
  } finally {
    // After a fault a part may wait for bytes that never come.
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(parts);
  }
}

function openForm(contentType: string): BusboyInstance {
  try {
    // All parts are read in the same way: plain fields are streamed, too.
    return new Busboy({
      headers: { 'content-type': contentType },
      limits,
      preservePath: true,
      isPartAFile: () => true,
    });
  } catch {
    throw new RefusedRequest('badRequest', 'The Content-Type names no boundary.');
  }
}

/** Resolves with the fault, or undefined for a complete form. Keeps listening, as a broken form may emit several errors. */
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
