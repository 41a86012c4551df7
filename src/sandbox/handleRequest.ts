import type { IncomingMessage } from 'node:http';
import { carryOut, type Handled, type ReadRequest } from './faults/fault';
import type { FaultSequence } from './faults/faultSequence';
import type { Operation } from './http/operation';
import { readForm } from './http/readForm';
import { readJson } from './http/readJson';
import { replyWith } from './http/reply';
import type { RequestBody } from './http/requestBody';
import { refuse } from './http/response';
import { route } from './http/route';
import type { L10n } from './l10n';

/** What a sandbox does with its requests. */
export interface Service {
  readonly operations: readonly Operation[];
  readonly accessKey: string;
  readonly faults: FaultSequence;
  readonly l10n: L10n;
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
    const found = route(request, operations, accessKey, l10n);
    if (found.kind === 'operation') {
      const { operation } = found;
      const contentType = request.headers['content-type'] ?? '';
      return await carryOut(faults.next(operation.path), body, () => read(operation, body, contentType));
    }
    await body.drain();
    return { reply: replyWith(found.response), parts: [] };
  } catch (error) {
    if (!body.complete) return { reply: { kind: 'clientWentAway' }, parts: [] };
    return { reply: replyWith(refuse('internal', `The sandbox failed: ${String(error)}.`)), parts: [] };
  }
}

async function read(operation: Operation, body: RequestBody, contentType: string): Promise<ReadRequest> {
  switch (operation.kind) {
    case 'json': {
      const json = await readJson(body);
      return { response: () => (json.kind === 'read' ? operation.run(json.value) : json.response), parts: [] };
    }
    case 'form': {
      const form = await readForm(body, contentType);
      if (form.kind === 'malformed') return { response: () => refuse('badRequest', form.reason), parts: [] };
      return { response: () => operation.run(form.parts), parts: form.parts };
    }
  }
}
