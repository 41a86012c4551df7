import { Buffer } from 'node:buffer';
import { METHOD } from './contract';
import type { Form } from './multipart';
import { type FileFacts, fileTaskRequest, type JsonRequest, type Target } from './requests';

/** A file as a preview needs it: how it begins, and how long it is (INTERFACE.md 4.3: a text file is imported). */
export interface FileBeginning {
  readonly name: string;
  readonly sizeBytes: number;
  readonly beginning: Buffer;
}

/**
 * The very request that would import a file, as text (INTERFACE.md 4.3): its line, its headers, its parts, of the file
 * only the beginning. `target.accessKey` is shown as it is, so it must be a mask.
 */
export async function previewFileTask(target: Target, file: FileBeginning, facts: FileFacts): Promise<string> {
  const left = file.sizeBytes - file.beginning.length;
  const shown: Form['file'] = {
    name: file.name,
    sizeBytes: file.sizeBytes,
    chunks: async function* () {
      yield file.beginning;
      if (left > 0) yield Buffer.from(`\n… (${left} more bytes of the file)`);
    },
  };
  const { url, headers, body } = fileTaskRequest(target, shown, facts);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.bytes()) chunks.push(chunk);
  return `${head(url, headers, body.sizeBytes)}\n\n${Buffer.concat(chunks).toString().replaceAll('\r\n', '\n')}`;
}

/** The very request that asks for a task or sets a webhook, as text (INTERFACE.md 4.2 and 4.4). */
export function previewJson({ url, headers, body }: JsonRequest): string {
  return `${head(url, headers, Buffer.byteLength(body))}\n\n${body}\n`;
}

function head(url: URL, headers: Readonly<Record<string, string>>, bodyBytes: number): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    `${METHOD} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...lines,
    `content-length: ${bodyBytes}`,
  ].join('\n');
}
