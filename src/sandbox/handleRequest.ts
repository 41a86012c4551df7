import type { IncomingMessage } from 'node:http';
import { carryOut, type Handled, type ReadRequest } from './faults/trouble';
import type { Troubles } from './faults/troubles';
import { refuse } from './http/answer';
import type { Gate } from './http/gate';
import type { Operation } from './http/operation';
import { readForm } from './http/readForm';
import { readJson } from './http/readJson';
import { replyWith } from './http/reply';
import type { RequestBody } from './http/requestBody';
import { route } from './http/route';

/** What a sandbox does with its requests. */
export interface Service {
  readonly operations: readonly Operation[];
  readonly gate: Gate;
  readonly troubles: Troubles;
}

/**
 * Reads one request and carries it out. A refused request is read to its end too, so that the client gets its answer
 * rather than a broken connection, and so that what it sent can be shown.
 */
export async function handleRequest(
  request: IncomingMessage,
  body: RequestBody,
  { operations, gate, troubles }: Service,
): Promise<Handled> {
  try {
    const found = route(request, operations, gate);
    if (found.kind === 'operation') {
      const { operation } = found;
      const contentType = request.headers['content-type'] ?? '';
      return await carryOut(troubles.next(operation.path), body, () => read(operation, body, contentType));
    }
    await body.drain();
    return { reply: replyWith(found.answer), parts: [] };
  } catch (error) {
    if (!body.complete) return { reply: { kind: 'clientWentAway' }, parts: [] };
    return { reply: replyWith(refuse('internal', `The sandbox failed: ${String(error)}.`)), parts: [] };
  }
}

async function read(operation: Operation, body: RequestBody, contentType: string): Promise<ReadRequest> {
  switch (operation.kind) {
    case 'json': {
      const json = await readJson(body);
      return { answer: () => (json.kind === 'read' ? operation.run(json.value) : json.answer), parts: [] };
    }
    case 'form': {
      const form = await readForm(body, contentType);
      if (form.kind === 'malformed') return { answer: () => refuse('badRequest', form.reason), parts: [] };
      return { answer: () => operation.run(form.parts), parts: form.parts };
    }
  }
}
