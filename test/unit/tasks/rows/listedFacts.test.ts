import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { isRunning } from '../../../../src/tasks/rows/listedFacts';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { newTask, type Phase, type QueryError } from '../../../../src/tasks/trackedTask';

describe('A task counts as running in the status bar', () => {
  const accepted: Phase = { kind: 'accepted', report: undefined };
  const lost: QueryError = {
    kind: 'failed',
    failure: { name: 'ConnectError', reason: 'refused', host: 'import.example.com', detail: '' },
  };
  const badResponse = (reason: 'serverError' | 'notJson' | 'redirect'): QueryError => ({
    kind: 'failed',
    failure: { name: 'BadResponseError', reason, status: 200, excerpt: '', detail: '' },
  });
  const rejected: QueryError = { kind: 'rejected', refusal: { by: 'status', status: 404, excerpt: '' } };

  it('until it has ended', () => {
    assert.equal(counts(undefined), true);
    assert.equal(counts(undefined, { kind: 'queued' }), false);
    assert.equal(counts(undefined, { kind: 'rejected', refusal: { by: 'status', status: 404, excerpt: '' } }), false);
  });

  it('while its status checks fail for a cause that may pass', () => {
    for (const error of [lost, badResponse('serverError')]) assert.equal(counts(error), true);
  });

  it('no longer once its status check was rejected, or its response is not that of an import service', () => {
    for (const error of [rejected, badResponse('notJson'), badResponse('redirect')]) assert.equal(counts(error), false);
  });

  function counts(lastQueryError: QueryError | undefined, phase = accepted): boolean {
    const facts = { dataset: 'Manuals', createdMs: 1, taskId: typedTaskId('t', 'string'), lastQueryError };
    return isRunning(asTracked(1, newTask({ ...facts, phase })));
  }
});
