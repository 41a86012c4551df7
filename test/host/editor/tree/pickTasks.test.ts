import assert from 'node:assert/strict';
import { picks } from '../../../../src/editor/platform/window';
import { clicked } from '../../../../src/editor/targets';
import type { BatchNode, TaskNode } from '../../../../src/editor/taskItems/tasksNode';
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

  it('that is for one takes the clicked one, and none where the command does not fit it', async () => {
    const [, b] = rows;
    assert.equal(nameOf(await pickTask({ list: own.list, picks }, clicked(b), () => true)), 'b');
    assert.equal(await pickTask({ list: own.list, picks }, clicked(b), (task) => nameOf(task) !== 'b'), undefined);
  });

  it('takes the selected ones that it fits where VS Code passes no row', async () => {
    const [a, b, c] = rows;
    const services = { list: own.list, picks };
    const fitting = await pickTasks(services, { from: 'selection', rows: [a, b, c] }, (task) => nameOf(task) !== 'b');
    assert.deepEqual(fitting.map(nameOf).toSorted(), ['a', 'c']);
    const ofBatch = await pickTasks(services, { from: 'selection', rows: [wholeBatch, c] });
    assert.deepEqual(ofBatch.map(nameOf).toSorted(), ['b', 'c']);
  });

  it('asks where VS Code passes no row and it fits none of the selected ones', async () => {
    const [a] = rows;
    const asked = pickTask({ list: own.list, picks }, { from: 'selection', rows: [a] }, (task) => nameOf(task) === 'b');
    assert.equal(nameOf(await answering(asked, 'accept')), 'b');
  });

  function nameOf(task: TrackedTask | undefined): string | undefined {
    return task?.source?.name;
  }
});
