import { Buffer, isUtf8 } from 'node:buffer';
import type { SourceBody } from '../content/sourceBody';
import { METHOD } from '../contract/contract';
import type { FileFacts } from '../contract/template';
import type { Form } from './multipart';
import { fileTaskRequest, type JsonRequest, type Target } from './requests';

/**
 * Returns the text of a request that would import a file: the request line, headers and parts. Shows only the
 * beginning of the file, followed by the number of omitted bytes as formatted by `formatRest`. The text contains
 * `target.accessKey`, so pass a mask instead of the real key.
 */
export async function previewFileTask(
  target: Target,
  file: SourceBody,
  facts: FileFacts,
  shownBytes: number,
  formatRest: (bytes: number) => string,
): Promise<string> {
  const read = await file.beginning(shownBytes);
  const isCut = read.length < file.sizeBytes;
  // Omit an incomplete character at the end.
  const ends = [0, 1, 2, 3].map((omitted) => read.subarray(0, read.length - omitted));
  const beginning = (isCut && ends.find(isUtf8)) || read;
  const shown: Form['file'] = {
    name: file.name,
    sizeBytes: file.sizeBytes,
    chunks: async function* () {
      yield beginning;
      if (isCut) yield Buffer.from(`\n${formatRest(file.sizeBytes - beginning.length)}`);
    },
  };
  const { url, headers, body } = fileTaskRequest(target, shown, facts);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.bytes()) chunks.push(chunk);
  return `${head(url, headers, body.sizeBytes)}\n\n${Buffer.concat(chunks).toString().replaceAll('\r\n', '\n')}`;
}

/** Returns the text of a request that queries a task or sets a webhook. */
export function previewJson({ url, headers, body }: JsonRequest): string {
  return `${head(url, headers, Buffer.byteLength(body))}\n\n${body}`;
}

function head(url: URL, headers: Readonly<Record<string, string>>, bodyBytes: number): string {
  return [
    `${METHOD} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'accept-encoding: identity',
    `content-length: ${bodyBytes}`,
  ].join('\n');
}
