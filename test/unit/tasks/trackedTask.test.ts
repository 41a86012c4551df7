import assert from 'node:assert/strict';
import {
  BadResponseError,
  CanceledError,
  ConnectError,
  ConnectionLostError,
  type ServiceError,
  SourceError,
} from '../../../src/service/errors';
import { typedTaskId } from '../../../src/service/json/taskId';
import type { TaskReport } from '../../../src/service/response/taskReport';
import { failureOf, isUnfinished, type Phase, phaseAfter, taskState } from '../../../src/tasks/trackedTask';
import { taskOf } from './temporaryStore';

const taskId = typedTaskId('T1', 'string');
const reported = (meaning: TaskReport['meaning']): Phase => ({
  kind: 'accepted',
  report: { status: meaning, meaning, progress: undefined, message: undefined, from: {} },
});
const waiting: Phase = { kind: 'accepted', report: undefined };
const failure = { name: 'CanceledError', detail: '' } as const;

describe('A refusal that is kept', () => {
  it('has no answer with it, and not all of what is long', () => {
    const response = { envelope: { code: '7' }, deviations: [] };
    const refusal = { by: 'envelope', status: 200, code: '7', message: 'x'.repeat(1_000_000), response } as const;
    const phase = phaseAfter({ kind: 'rejected', refusal, badKey: false, tryLater: false });
    assert.deepEqual(phase, {
      kind: 'rejected',
      refusal: { by: 'envelope', status: 200, code: '7', message: `${'x'.repeat(2000)}…` },
    });
  });
});

describe('The state of a task', () => {
  const states = [
    [{ kind: 'queued' }, undefined, 'queued', false],
    [{ kind: 'sending', attemptId: 'A 1' }, undefined, 'sending', false],
    [{ kind: 'notSent', failure }, undefined, 'notSent', false],
    [{ kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 }, undefined, 'unconfirmed', false],
    [waiting, undefined, 'withoutId', false],
    [waiting, taskId, 'waiting', true],
    [reported('none'), taskId, 'noReport', true],
    [reported('running'), taskId, 'running', true],
    [reported('unknown'), taskId, 'unknown', true],
    [reported('succeeded'), taskId, 'succeeded', false],
    [reported('failed'), taskId, 'failed', false],
  ] as const satisfies readonly (readonly [Phase, typeof taskId | undefined, string, boolean])[];
  for (const [phase, id, state, unfinished] of states) {
    it(`${state} is ${unfinished ? 'not ' : ''}an end to asking`, () => {
      const task = { key: 1, ...taskOf({ phase, taskId: id }) };
      assert.deepEqual([taskState(task), isUnfinished(task)], [state, unfinished]);
    });
  }
});

describe('The facts of a failure', () => {
  const cause = new Error('deep down');
  const failures: [ServiceError, object][] = [
    [
      new ConnectError('tls', 'host:1', { cause }),
      { name: 'ConnectError', reason: 'tls', host: 'host:1', detail: 'deep down' },
    ],
    [
      new ConnectionLostError('silent', 'host:1'),
      { name: 'ConnectionLostError', reason: 'silent', host: 'host:1', detail: '' },
    ],
    [
      new BadResponseError('notJson', 200, '<h1>'),
      { name: 'BadResponseError', reason: 'notJson', status: 200, excerpt: '<h1>', detail: '' },
    ],
    [
      new SourceError('changed', 'a.txt', { cause }),
      { name: 'SourceError', reason: 'changed', fileName: 'a.txt', detail: 'deep down' },
    ],
    [new CanceledError(), { name: 'CanceledError', detail: '' }],
  ];
  it('hold of its cause the beginning, however much a certificate tells', () => {
    const error = new ConnectError('tls', 'host:1', { cause: new Error('x'.repeat(100_000)) });
    assert.equal(failureOf(error).detail, `${'x'.repeat(2000)}…`);
  });

  for (const [error, facts] of failures) {
    it(`of ${error.name} are whole and can be stored`, () => {
      assert.deepEqual(failureOf(error), facts);
      assert.deepEqual(JSON.parse(JSON.stringify(failureOf(error))), facts);
    });
  }

  it('stand in the phase after an outcome, with what had left', () => {
    const canceled = new CanceledError();
    const facts = { name: 'CanceledError', detail: '' };
    assert.deepEqual(phaseAfter({ kind: 'notSent', cause: canceled }), { kind: 'notSent', failure: facts });
    assert.deepEqual(
      phaseAfter({ kind: 'unconfirmed', cause: canceled, sentBytes: 3, totalBytes: 9, retryAfterMs: 1 }),
      {
        kind: 'unconfirmed',
        failure: facts,
        sentBytes: 3,
        totalBytes: 9,
      },
    );
  });
});
