import assert from 'node:assert/strict';
import { typedTaskId } from '../../../src/service/json/taskId';
import type { TaskReport } from '../../../src/service/response/taskReport';
import { asTracked } from '../../../src/tasks/rows/taskRow';
import {
  acceptedAs,
  asSingle,
  changeOfOne,
  combinedReport,
  endedCount,
  idsToAsk,
  taskIdsOf,
} from '../../../src/tasks/severalTasks';
import {
  isUnfinished,
  newTask,
  type QueryError,
  type TaskPart,
  type TrackedTask,
  taskState,
} from '../../../src/tasks/trackedTask';
import { fc } from '../seededFastCheck';

const A = typedTaskId('A', 'string');
const B = typedTaskId('B', 'string');

function report(meaning: TaskReport['meaning'], facts: Partial<TaskReport> = {}): TaskReport {
  return { status: meaning.toUpperCase(), meaning, progress: undefined, message: undefined, from: {}, ...facts };
}

function part(taskId: TaskPart['taskId'], one: TaskReport | undefined, queryError?: QueryError): TaskPart {
  return { taskId, report: one, ...(queryError && { queryError }) };
}

function taskOf(...parts: TaskPart[]): TrackedTask {
  const phase = { kind: 'accepted', report: combinedReport(parts), parts } as const;
  return asTracked(1, newTask({ dataset: 'Books', createdMs: 0, phase, ...(parts[0] && { taskId: parts[0].taskId }) }));
}

const died: QueryError = { kind: 'failed', failure: { name: 'UnexpectedError', detail: '' } };

describe('The report of several tasks', () => {
  const meaning = fc.constantFrom('running', 'succeeded', 'failed', 'unknown', 'none');
  const progress = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
  const one = fc.record({ meaning, progress, message: fc.string() });
  const reports = fc.array(
    fc.option(
      one.map(({ meaning, ...facts }) => report(meaning, facts)),
      { nil: undefined },
    ),
    { minLength: 1, maxLength: 8 },
  );
  const combined = (each: readonly (TaskReport | undefined)[]) =>
    combinedReport(each.map((report, index) => part(typedTaskId(`T${index}`, 'string'), report)));

  it('has succeeded where all have and never else, and failed where any has', () => {
    fc.assert(
      fc.property(reports, (each) => {
        const meanings = each.map((report) => report?.meaning);
        const all = combined(each);
        assert.equal(
          all?.meaning === 'succeeded',
          meanings.every((one) => one === 'succeeded'),
        );
        assert.equal(all?.meaning === 'failed', meanings.includes('failed'));
        assert.equal(all?.meaning === 'unknown', !meanings.includes('failed') && meanings.includes('unknown'));
        const isUntold = meanings.includes('none') && meanings.every((one) => one === undefined || one === 'none');
        assert.equal(all?.meaning === 'none', isUntold);
        assert.equal(
          all === undefined,
          meanings.every((one) => one === undefined),
        );
      }),
    );
  });

  it('means the same in whatever order they are', () => {
    fc.assert(
      fc.property(
        reports.chain((each) => fc.tuple(fc.constant(each), fc.shuffledSubarray(each, { minLength: each.length }))),
        ([each, shuffled]) => {
          const [one, other] = [combined(each), combined(shuffled)];
          assert.equal(one?.meaning, other?.meaning);
          assert.ok(Math.abs((one?.progress ?? 0) - (other?.progress ?? 0)) < 1e-9);
          assert.equal(one?.progress === undefined, other?.progress === undefined);
        },
      ),
    );
  });

  it('has the words of one of them that means the same', () => {
    fc.assert(
      fc.property(reports, (each) => {
        const all = combined(each);
        if (all?.status === undefined) return;
        const words = each.find((report) => report?.meaning === all.meaning);
        assert.deepEqual([all.status, all.message], [words?.status, words?.message]);
      }),
    );
  });

  it('is as far as they are on average, and whole only where all have ended', () => {
    fc.assert(
      fc.property(reports, (each) => {
        const far = combined(each)?.progress;
        if (far === undefined) return;
        assert.ok(far >= 0 && far <= 1);
        const isFar = (report: TaskReport | undefined) =>
          report?.progress === 1 || report?.meaning === 'failed' || report?.meaning === 'succeeded';
        if (far === 1) assert.ok(each.every(isFar) || each.every((one) => isFar(one) || (one?.progress ?? 0) > 0.999));
      }),
    );
    const half = [report('succeeded'), report('running', { progress: 0.5 })];
    assert.equal(combined(half)?.progress, 0.75);
    assert.equal(combined([...half, report('running')])?.progress, undefined);
  });
});

describe('A file of several tasks', () => {
  it('begins with all of its ids, of which none was asked about', () => {
    const from = { pointer: '/ids/${each}', how: 'mapped' } as const;
    const begun = acceptedAs({ taskId: A, from, ids: [A, B], leftOut: 3 });
    const task = asTracked(1, newTask({ dataset: 'Books', createdMs: 0, ...begun }));
    assert.deepEqual([taskState(task), taskIdsOf(task), idsToAsk(task)], ['waiting', [A, B], [A, B]]);
    assert.deepEqual(begun.phase, {
      kind: 'accepted',
      report: undefined,
      parts: [part(A, undefined), part(B, undefined)],
      leftOut: 3,
    });
    assert.deepEqual(acceptedAs({ taskId: A, from }).phase, { kind: 'accepted', report: undefined });
  });

  it('is asked about as long as one of its tasks has not ended, also where another has failed', () => {
    const failed = taskOf(part(A, report('failed')), part(B, report('running')));
    assert.deepEqual([taskState(failed), isUnfinished(failed), idsToAsk(failed)], ['failed', true, [B]]);
    const ended = taskOf(part(A, report('failed')), part(B, report('succeeded')));
    assert.deepEqual([taskState(ended), isUnfinished(ended), idsToAsk(ended)], ['failed', false, [A, B]]);
    assert.equal(endedCount([part(A, report('failed')), part(B, report('unknown'))]), 1);
  });

  it('changes by what is told of one task, and the failed query of another stays', () => {
    const task = { ...taskOf(part(A, report('running'), died), part(B, undefined)), lastQueryError: died };
    const phase = { kind: 'accepted', report: report('succeeded') } as const;
    const told = { phase, lastQueryError: undefined, lastResponse: '{}', checkedMs: 7 };
    const change = changeOfOne(task, B, told);
    const now = { ...task, ...change };
    assert.deepEqual([taskState(now), now.lastQueryError, now.checkedMs], ['running', died, 7]);
    assert.equal(taskState(asSingle(now, B)), 'succeeded');
    const after = { ...now, ...changeOfOne(now, A, told) };
    assert.deepEqual([taskState(after), after.lastQueryError], ['succeeded', undefined]);
  });

  it('keeps the last response, but that of the first failed task before any other, as its words are shown', () => {
    const told = (meaning: TaskReport['meaning'], lastResponse: string) => ({
      phase: { kind: 'accepted', report: report(meaning) } as const,
      lastQueryError: undefined,
      lastResponse,
    });
    let task = taskOf(part(A, undefined), part(B, undefined));
    const responses: unknown[] = [];
    const steps = [
      [A, 'running'],
      [B, 'running'],
      [A, 'failed'],
      [B, 'running'],
      [B, 'failed'],
      [A, 'failed'],
    ] as const;
    for (const [id, meaning] of steps) {
      const { lastResponse, ...change } = changeOfOne(task, id, told(meaning, `${id} ${meaning}`));
      task = { ...task, ...change };
      responses.push(lastResponse ?? responses.at(-1));
    }
    assert.deepEqual(responses, ['"A" running', '"B" running', '"A" failed', '"A" failed', '"A" failed', '"A" failed']);
    const later = taskOf(part(A, report('running')), part(B, report('failed')));
    const both = { ...later, ...changeOfOne(later, A, told('failed', 'A')) };
    assert.equal(both.lastResponse, 'A');
  });
});
