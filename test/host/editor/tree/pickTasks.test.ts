import assert from 'node:assert/strict';
import type { BatchNode, TaskNode } from '../../../../src/editor/rows/tasksNode';
import { pickTask, pickTasks } from '../../../../src/editor/tree/pickTasks';
import { newTask, type Phase, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { fileSource, type OwnList, ownList } from '../../answeredTasks';
import { answering } from '../../settled';

describe('A command on rows of tasks', () => {
  let own: OwnList;
  let rows: readonly [TaskNode, TaskNode, TaskNode];
  const batch = { id: 'b-1', label: 'docs' };
  const wholeBatch: BatchNode = { batchId: batch.id };

  beforeEach(async () => {
    own = ownList();
    const accepted: Phase = { kind: 'accepted', report: undefined };
    const tasks = await own.list.add(
      ['a', 'b', 'c'].map((name, index) =>
        newTask({
          dataset: 'Manuals',
          source: fileSource(name, 1),
          createdMs: 0,
          batch: index === 0 ? undefined : batch,
          phase: accepted,
        }),
      ),
    );
    const [a, b, c] = tasks.map(({ key }) => ({ taskKey: key }));
    assert.ok(a && b && c);
    rows = [a, b, c];
  });
  afterEach(() => own.dispose());

  it('that is for many takes all selected ones where the clicked one is among them', async () => {
    const [a, b, c] = rows;
    assert.deepEqual(await picked(b, [a, b]), ['a', 'b']);
    assert.deepEqual(await picked(c, [wholeBatch, c]), ['b', 'c']);
    assert.deepEqual(await picked(wholeBatch, [a, wholeBatch]), ['a', 'b', 'c']);
  });

  it('that is for many takes the clicked one alone where it is not selected, or nothing is', async () => {
    const [a, b, c] = rows;
    for (const selected of [[a, b], [wholeBatch], [], undefined]) assert.deepEqual(await picked(c, selected), ['c']);
    assert.deepEqual(await picked(wholeBatch, [a]), ['b', 'c']);
  });

  it('that is for one takes the clicked one, and none where the command does not fit it', async () => {
    const [, b] = rows;
    assert.equal(nameOf(await pickTask(own.list, b, () => true)), 'b');
    assert.equal(await pickTask(own.list, b, (task) => nameOf(task) !== 'b'), undefined);
  });

  it('takes the selected ones that it fits where VS Code passes no row', async () => {
    const [a, b, c] = rows;
    const fitting = await pickTasks(own.list, { selectedRows: [a, b, c] }, undefined, (task) => nameOf(task) !== 'b');
    assert.deepEqual(fitting.map(nameOf).toSorted(), ['a', 'c']);
    assert.deepEqual(await picked({ selectedRows: [wholeBatch, c] }, undefined), ['b', 'c']);
  });

  it('asks where VS Code passes no row and it fits none of the selected ones', async () => {
    const [a] = rows;
    const asked = pickTask(own.list, { selectedRows: [a] }, (task) => nameOf(task) === 'b');
    assert.equal(nameOf(await answering(asked, 'accept')), 'b');
  });

  async function picked(target: unknown, selected: unknown): Promise<unknown[]> {
    return (await pickTasks(own.list, target, selected)).map(nameOf).toSorted();
  }

  function nameOf(task: TrackedTask | undefined): string | undefined {
    return task?.source?.name;
  }
});
