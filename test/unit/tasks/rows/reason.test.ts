import assert from 'node:assert/strict';
import type { TaskId } from '../../../../src/service/json/taskId';
import { listedFacts } from '../../../../src/tasks/rows/listedFacts';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import type { Phase } from '../../../../src/tasks/trackedTask';
import { sourceOf, taskOf } from '../temporaryStore';

const taskId = '"t"' as TaskId;

function failed(message: string | undefined): Phase {
  const report = { status: 'FAILED', meaning: 'failed', progress: undefined, message, from: {} } as const;
  return { kind: 'accepted', report };
}

function rejected(code: string, message: string): Phase {
  return { kind: 'rejected', refusal: { by: 'envelope', status: 200, code, message } };
}

function reasonOf(phase: Phase, name = 'a.txt') {
  return listedFacts(asTracked(1, taskOf({ source: sourceOf(name), taskId, phase }))).reason;
}

describe('The reason for which a task needs a person', () => {
  it('is the same whatever numbers, quoted texts and names of the file it has', () => {
    const one = reasonOf(failed("Line 88 of a.txt: 'x' is no number."));
    const other = reasonOf(failed("Line 7 of long name.txt: 'some text' is no number."), 'long name.txt');
    assert.equal(one, other);
    assert.ok(one);
  });

  it('is another one where the words, the code or the state are others', () => {
    const reasons = [
      reasonOf(failed('Encoding is not UTF-8')),
      reasonOf(failed('The file is empty')),
      reasonOf(failed(undefined)),
      reasonOf(rejected('4103', 'The title is missing')),
      reasonOf(rejected('quota', 'The title is missing')),
      reasonOf({ kind: 'notSent', failure: { name: 'CanceledError', detail: '' } }),
      reasonOf({ kind: 'unconfirmed', failure: { name: 'CanceledError', detail: '' }, sentBytes: 0, totalBytes: 0 }),
    ];
    assert.equal(new Set(reasons).size, reasons.length);
  });

  it('is none where a task needs nobody', () => {
    assert.equal(reasonOf({ kind: 'queued' }), null);
    assert.equal(reasonOf({ kind: 'accepted', report: undefined }), null);
  });

  it('is short, however much a service says', () => {
    assert.ok(String(reasonOf(failed('much '.repeat(10_000)))).length <= 300);
  });
});
