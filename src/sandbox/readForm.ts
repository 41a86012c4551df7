import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { RejectedRequest } from './rejectedRequest';

/** What the sandbox remembers about a received text file. It doesn't keep the content. */
export interface ReceivedFile {
  readonly fileName: string;
  /** Where the first invalid UTF-8 occurs. */
  readonly invalid: InvalidText | undefined;
}

/** Lines and columns start at 1. Columns are counted in characters. */
export interface InvalidText {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads a multipart form and returns its part named "file". @throws RejectedRequest, or another error if the client
 * disconnects
 */
export async function readForm(request: IncomingMessage): Promise<ReceivedFile> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  // By default, busboy treats a part without a file name as a field and keeps it in memory.
  const form = new Busboy({ headers, preservePath: true, isPartAFile: () => true });
  const streams: BusboyFileStream[] = [];
  const files: Promise<ReceivedFile>[] = [];
  form.on('file', (name, stream, fileName) => {
    streams.push(stream);
    if (name === 'file') files.push(readFile(stream as AsyncIterable<Buffer>, fileName));
    else stream.on('error', () => {}).resume();
  });
  const ended = new Promise<string | undefined>((resolve) => {
    form.on('finish', () => resolve(undefined));
    // A malformed form can emit multiple errors. Only the first one counts.
    form.on('error', (error) => resolve(`The form is malformed: ${error}.`));
  });
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      // The parser may never call back after the form has ended or an error has occurred.
      await Promise.race([new Promise<void>((resolve) => form.write(chunk, () => resolve())), ended]);
    }
    form.end();
    const fault = await ended;
    if (fault !== undefined) throw new RejectedRequest(400, fault);
    const [file, ...others] = await Promise.all(files);
    if (file === undefined || others.length > 0 || file.fileName === '')
      throw new RejectedRequest(200, 'The form must have one part named "file", with a file name.', '1001');
    return file;
  } finally {
    // After an error, a part's stream would wait forever for more bytes.
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(files);
  }
}

/** Checks a file as it arrives. */
async function readFile(chunks: AsyncIterable<Buffer>, fileName = ''): Promise<ReceivedFile> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  /** Replaces each invalid byte with U+FFFD, which shows where the first one is. */
  const lenient = new TextDecoder();
  let [line, column] = [1, 1];
  let invalid: InvalidText | undefined;
  const read = (chunk?: Buffer) => {
    if (invalid !== undefined) return;
    const options = { stream: chunk !== undefined };
    const text = lenient.decode(chunk, options);
    let valid = text;
    try {
      strict.decode(chunk, options);
    } catch {
      valid = text.slice(0, text.indexOf('\uFFFD'));
    }
    const [first = '', ...others] = valid.split('\n');
    line += others.length;
    column = others.length === 0 ? column + [...first].length : [...(others.at(-1) ?? '')].length + 1;
    if (valid !== text) invalid = { line, column };
  };
  for await (const chunk of chunks) read(chunk);
  read();
  return { fileName, invalid };
}
