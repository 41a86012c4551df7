import type { RequestBody } from './requestBody';
import { refuse, type SandboxResponse } from './response';

/** A JSON body that was read. */
export type JsonReading =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly response: SandboxResponse };

const maxBytes = 1024 * 1024;

/** Reads a JSON body of at most 1 MiB; of a larger one nothing is kept. Throws when the client goes away. */
export async function readJson(body: RequestBody): Promise<JsonReading> {
  let chunks: Buffer[] = [];
  for await (const chunk of body.chunks()) {
    if (body.bytes <= maxBytes) chunks.push(chunk);
    else chunks = [];
  }
  if (body.bytes > maxBytes) {
    return { kind: 'refused', response: refuse('tooLarge', `A JSON body may have ${maxBytes} bytes.`) };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return { kind: 'read', value: JSON.parse(text) };
  } catch (error) {
    return { kind: 'refused', response: refuse('badRequest', `The body is not JSON: ${reasonOf(error)}.`) };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof SyntaxError ? error.message : 'it is not UTF-8';
}
