import type { IncomingMessage } from 'node:http';
import type { Fault, FaultSequence } from './faults';
import type { Operation } from './http/operation';
import { type ReceivedPart, readForm } from './http/readForm';
import { readJson } from './http/readJson';
import type { RequestBody } from './http/requestBody';
import { accept, RefusedRequest, type Reply, type ResponseData, type SandboxResponse } from './http/response';
import { route } from './http/route';
import type { L10n } from './l10n';

/** What a sandbox does with its requests. */
export interface Service {
  readonly operations: readonly Operation[];
  readonly accessKey: string;
  readonly faults: FaultSequence;
  readonly l10n: L10n;
}

/** What the sandbox made of a request. */
export interface Handled {
  readonly reply: Reply;
  /** The parts of a multipart form; empty for all other requests. */
  readonly parts: readonly ReceivedPart[];
}

/**
 * Reads one request and carries it out. A refused request is read to its end too, so that the client gets its response
 * rather than a broken connection, and so that what it sent can be shown.
 */
export async function handleRequest(
  request: IncomingMessage,
  body: RequestBody,
  { operations, accessKey, faults, l10n }: Service,
): Promise<Handled> {
  try {
    const operation = route(request, operations, accessKey, l10n);
    return await carryOut(operation, faults.next(operation.path), body, request.headers['content-type'] ?? '');
  } catch (error) {
    const { response } =
      error instanceof RefusedRequest ? error : new RefusedRequest('internal', `The sandbox failed: ${String(error)}.`);
    await body.drain().catch(() => {});
    return { reply: body.complete ? { kind: 'sent', ...response } : { kind: 'clientWentAway' }, parts: [] };
  }
}

/** Carries out a request as far as its fault lets it. @throws RefusedRequest, or where the client goes away */
async function carryOut(operation: Operation, fault: Fault, body: RequestBody, contentType: string): Promise<Handled> {
  if (fault.kind === 'reset') {
    const { announcedBytes } = body;
    await body.readFirst(Math.floor((announcedBytes ?? 0) * fault.afterShare));
    return { reply: { kind: 'reset', readBytes: body.bytes, wholeBytes: announcedBytes }, parts: [] };
  }
  if (operation.mediaType === 'application/json') {
    const json = await readJson(body);
    return { reply: replyDespite(fault, () => operation.run(json)), parts: [] };
  }
  const parts = await readForm(body, contentType);
  return { reply: replyDespite(fault, () => operation.run(parts)), parts };
}

function replyDespite(fault: Exclude<Fault, { kind: 'reset' }>, run: () => ResponseData): Reply {
  if (fault.kind === 'turnedAway') return { kind: 'sent', ...fault.response };
  const response = responseOf(run);
  const { body } = response;
  switch (fault.kind) {
    case 'none':
      return { kind: 'sent', ...response };
    case 'responseLost':
      return { kind: 'lost', ...response };
    case 'responseCutShort': {
      const wholeBytes = Buffer.byteLength(body);
      return { kind: 'cutShort', ...response, body: body.slice(0, body.length / 2), wholeBytes };
    }
  }
}

function responseOf(run: () => ResponseData): SandboxResponse {
  try {
    return accept(run());
  } catch (error) {
    if (error instanceof RefusedRequest) return error.response;
    throw error;
  }
}
