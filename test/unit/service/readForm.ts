import { once } from 'node:events';
import busboy from 'busboy';

/** A part of a form as a service's parser sees it. Fields have neither a file name nor a media type. */
export interface Part {
  readonly name: string;
  readonly content: Buffer;
  readonly fileName?: string | undefined;
  readonly mediaType?: string;
}

/** Reads a multipart form with an independent parser. Doesn't remove folder paths from file names. */
export async function readForm({ head, body }: { head: string; body: Buffer }): Promise<Part[]> {
  const type = /^content-type: (.+)$/im.exec(head)?.[1] ?? '';
  const parser = busboy({ headers: { 'content-type': type }, defParamCharset: 'utf8', preservePath: true });
  const parts: Part[] = [];
  parser.on('field', (name, value) => parts.push({ name, content: Buffer.from(value) }));
  parser.on('file', (name, stream, { filename, mimeType }) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      parts.push({ name, content: Buffer.concat(chunks), fileName: filename, mediaType: mimeType });
    });
  });
  const closed = once(parser, 'close');
  parser.end(body);
  await closed;
  return parts;
}
