import { typedTaskId } from '../../../../src/service/json/taskId';
import type { Content, End, NewImport, QueueRequest } from '../../../../src/tasks/store/model';

/** Where the tests import to. */
export const MANUALS = { dataset: 'Manuals', origin: 'https://import.example' };

export function fileOf(name: string, facts: Partial<NewImport> = {}): NewImport {
  return {
    path: `/notes/${name}`,
    name,
    relativePath: `notes/${name}`,
    textFile: null,
    sizeBytes: 12,
    modifiedMs: 5,
    sha256: null,
    seen: null,
    ...facts,
  };
}

export function requestOf(run: string, files: readonly NewImport[], facts: Partial<QueueRequest> = {}): QueueRequest {
  const batch = files.length > 1 ? { label: 'notes', folder: '/notes' } : null;
  return { destination: MANUALS, run, batch, skipped: {}, claims: true, files, ...facts };
}

export function contentOf(sha256: string, sizeBytes = 12): Content {
  return { sizeBytes, modifiedMs: 5, sha256 };
}

export function accepted(attempt: string, id?: string, facts: Partial<End> = {}): End {
  const taskIds = id === undefined ? [] : [typedTaskId(id, 'string')];
  const response = JSON.stringify({ code: '0', data: { taskId: id } });
  return { attempt, outcome: 'accepted', taskIds, response, sentBytes: 12, brake: 0, ...facts };
}

export function unconfirmed(attempt: string, facts: Partial<End> = {}): End {
  const cause = { name: 'ConnectionLostError', reason: 'reset' };
  return { attempt, outcome: 'unconfirmed', cause, sentBytes: 5, brake: 1, ...facts };
}

export function rejected(attempt: string, code = '42', facts: Partial<End> = {}): End {
  const cause = { name: 'Rejected', code, message: 'No.' };
  return { attempt, outcome: 'rejected', cause, sentBytes: 12, brake: 0, ...facts };
}
