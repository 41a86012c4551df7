import type { RequestBody } from './requestBody';
import { RefusedRequest } from './response';

const maxBytes = 1024 * 1024;

/** Reads a JSON body of at most 1 MiB. @throws RefusedRequest, or where the client goes away */
export async function readJson(body: RequestBody): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of body.chunks()) if (body.bytes <= maxBytes) chunks.push(chunk);
  if (body.bytes > maxBytes) throw new RefusedRequest('tooLarge', `A JSON body may have ${maxBytes} bytes.`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    throw new RefusedRequest('badRequest', `The body is not JSON: ${reason}.`);
  }
}
