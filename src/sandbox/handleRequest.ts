import type { IncomingMessage } from 'node:http';
import { refuse } from './answer';
import type { Gate } from './gate';
import type { Operation } from './operation';
import { readForm } from './readForm';
import { readJson } from './readJson';
import { replyWith } from './reply';
import type { RequestBody } from './requestBody';
import { route } from './route';
import { carryOut, type Handled, type ReadRequest } from './trouble';
import type { Troubles } from './troubles';

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
