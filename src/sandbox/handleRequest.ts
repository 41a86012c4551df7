import type { IncomingMessage } from 'node:http';
import { type Answer, refuse } from './answer';
import type { Gate } from './gate';
import type { Operation } from './operation';
import { type ReceivedPart, readForm } from './readForm';
import { readJson } from './readJson';
import type { RequestBody } from './requestBody';
import { route } from './route';

/** What the sandbox makes of a request. No answer: the client went away. */
export interface Handled {
  readonly answer: Answer | undefined;
  readonly parts: readonly ReceivedPart[];
}

/**
 * Reads one request to its end and carries it out. A refused request is read to its end too, so that the client gets
 * its answer rather than a broken connection, and so that what it sent can be shown.
 */
export async function handleRequest(
  request: IncomingMessage,
  body: RequestBody,
  operations: readonly Operation[],
  gate: Gate,
): Promise<Handled> {
  try {
    const found = route(request, operations, gate);
    if (found.kind === 'operation') return await run(found.operation, body, request.headers['content-type'] ?? '');
    await body.drain();
    return { answer: found.answer, parts: [] };
  } catch (error) {
    if (!body.complete) return { answer: undefined, parts: [] };
    return { answer: refuse('internal', `The sandbox failed: ${String(error)}.`), parts: [] };
  }
}

async function run(operation: Operation, body: RequestBody, contentType: string): Promise<Handled> {
  switch (operation.kind) {
    case 'json': {
      const json = await readJson(body);
      return { answer: json.kind === 'read' ? operation.run(json.value) : json.answer, parts: [] };
    }
    case 'form': {
      const form = await readForm(body, contentType);
      if (form.kind === 'malformed') return { answer: refuse('badRequest', form.reason), parts: [] };
      return { answer: operation.run(form.parts), parts: form.parts };
    }
  }
}
