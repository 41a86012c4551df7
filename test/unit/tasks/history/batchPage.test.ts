import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { Accepted, NewTask, Phase } from '../../../../src/tasks/trackedTask';
import { NOON, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const batch = { id: 'b', label: 'docs' };
const origin = 'https://import.example.com';

/** A task of the batch that was begun at noon, uploaded so long after, and succeeded so long after that. */
function succeeded(name: string, uploadedMs: number, tookMs: number, facts: Partial<NewTask> = {}): NewTask {
  const report = { status: 'OK', meaning: 'succeeded', progress: undefined, message: undefined, from: {} } as const;
  const end: Accepted = { kind: 'accepted', report: undefined };
  const attempt = { beganMs: NOON, endedMs: NOON + uploadedMs, sentBytes: 1, totalBytes: 1, end };
  return taskOf({
    ...{ batch, origin, source: sourceOf(name), taskId: typedTaskId('T1', 'string'), createdMs: NOON },
    ...{ phase: { kind: 'accepted', report }, attempts: [attempt], checkedMs: NOON + uploadedMs + tookMs, ...facts },
  });
}

function rejected(message: string): Phase {
  return { kind: 'rejected', refusal: { by: 'envelope', status: 200, code: '1', message } };
}

describe('What a page about a batch shows', () => {
  it('is nothing where none of its tasks is in the list', async () => {
    await using store = await TemporaryStore.make();
    assert.equal(await store.list().history.batchPage('b', NOON), undefined);
  });

  it('is how its files got on since its newest import began, until the last one ended', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    await list.add([
      succeeded('1', 1000, 5000),
      succeeded('2', 3000, 3000),
      succeeded('3', 3000, 57_000),
      taskOf({ batch, origin, createdMs: NOON, checkedMs: NOON + 1, phase: rejected('no') }),
      succeeded('earlier', 1, 1, { createdMs: NOON - 86_400_000 }),
    ]);
    const { course } = (await list.history.batchPage('b', NOON + 3_600_000)) ?? {};
    assert.ok(course);
    assert.deepEqual([course.fromMs, course.toMs, course.total], [NOON, NOON + 60_000, 4]);
    const at = (counts: readonly number[]) => [0, 1, 2, 3, 5, 6, 59, 60].map((second) => counts[second]);
    assert.deepEqual(at(course.uploaded), [0, 1, 1, 3, 3, 3, 3, 3]);
    assert.deepEqual(at(course.ended), [0, 0, 0, 0, 0, 2, 2, 3]);
  });

  it('goes on until now while some of it has not ended, and lasts for no less than a moment', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    await list.add([succeeded('1', 1000, 2000), taskOf({ batch, createdMs: NOON, phase: { kind: 'queued' } })]);
    const course = async (nowMs: number) => (await list.history.batchPage('b', nowMs))?.course;
    assert.equal((await course(NOON + 30_000))?.toMs, NOON + 30_000);
    // The clock was set back.
    assert.equal((await course(NOON - 30_000))?.toMs, NOON + 3000);
  });

  it('is why its tasks need a person, each reason with its first files', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const rows = Array.from({ length: 30 }, (_, index) => rejected(`Row ${index}: no title`));
    await list.add([
      taskOf({ batch, source: sourceOf('long'), phase: rejected('Too long') }),
      ...rows.map((phase, index) => taskOf({ batch, source: sourceOf(`${index}`), phase })),
      taskOf({ source: sourceOf('of no batch'), phase: rejected('Too long') }),
      succeeded('fine', 1, 1),
    ]);
    const { reasons, more } = (await list.history.batchPage('b', NOON))?.reasons ?? { reasons: [], more: -1 };
    assert.deepEqual(
      reasons.map(({ count, tasks }) => [count, tasks.length, tasks[0]?.source?.name]),
      [
        [30, 20, '0'],
        [1, 1, 'long'],
      ],
    );
    assert.equal(more, 0);
  });

  it('is no more than the most frequent reasons, should each file have one of its own', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const words = Array.from({ length: 25 }, (_, index) => 'x'.repeat(index + 1));
    await list.add(words.map((word) => taskOf({ batch, phase: rejected(word) })));
    const { reasons, more } = (await list.history.batchPage('b', NOON))?.reasons ?? { reasons: [], more: -1 };
    assert.deepEqual([reasons.length, more], [20, 5]);
  });

  it('is what its newest import left out, and nothing of an earlier one', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    await list.add([succeeded('1', 1, 1)]);
    await list.history.noteSkipped('b', [{ reason: 'Ignored', count: 2 }]);
    await list.history.noteSkipped('b', [
      { reason: 'Unchanged', count: 40 },
      { reason: 'Ignored', count: 3 },
    ]);
    const skipped = async () => (await list.history.batchPage('b', NOON))?.skipped;
    assert.deepEqual(await skipped(), [
      { reason: 'Unchanged', count: 40 },
      { reason: 'Ignored', count: 3 },
    ]);
    await list.add([succeeded('2', 1, 1, { createdMs: NOON + 1 })]);
    assert.deepEqual(await skipped(), []);
  });
});
