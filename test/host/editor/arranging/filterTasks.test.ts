import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { filterTasks, formatFilter } from '../../../../src/editor/arranging/filterTasks';
import { TaskArrangement } from '../../../../src/editor/arranging/taskArrangement';
import { picks } from '../../../../src/editor/platform/window';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskFilter } from '../../../../src/tasks/history/taskFilter';
import { PROBLEMS } from '../../../../src/tasks/rows/listedFacts';
import { newTask, type Phase } from '../../../../src/tasks/trackedTask';
import { type OwnList, ownList } from '../../answeredTasks';
import { MemoryMemento } from '../../memoryStorage';

const rejected: Phase = { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } };
const notSent: Phase = { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } };

describe('Filter Tasks', () => {
  let own: OwnList;
  let arrangement: TaskArrangement;

  beforeEach(() => {
    own = ownList();
    arrangement = new TaskArrangement(new MemoryMemento());
  });
  afterEach(() => {
    arrangement.dispose();
    own.dispose();
  });

  it('offers problems and the states that there are, with their counts, and a dataset only where there are several', async () => {
    await add('Manuals', rejected, rejected, notSent, { kind: 'queued' });
    const states = ['Problems 3', 'Rejected 2', 'Not uploaded 1', 'Queued 1'];
    assert.deepEqual(await offered(), states);
    await add('Logs', { kind: 'queued' });
    assert.deepEqual((await offered()).filter((row) => row.includes('dataset')).toSorted(), [
      'Logs 1 in this dataset',
      'Manuals 4 in this dataset',
    ]);
  });

  it('offers the running tasks that made no progress for 3 h', async () => {
    const report = {
      status: 'RUNNING',
      meaning: 'running',
      progress: undefined,
      message: undefined,
      from: {},
    } as const;
    const running: Phase = { kind: 'accepted', report };
    const taskId = typedTaskId('T1', 'string');
    const changedAt = (checkedMs: number) =>
      newTask({ dataset: 'Manuals', createdMs: 1, taskId, phase: running, checkedMs });
    const [quiet] = await own.list.add([changedAt(0), changedAt(Date.UTC(2999))]);
    assert.deepEqual(await offered(), ['Problems 0', 'Running 2', 'No progress for 3 h 1']);
    await choose((items) => items.find(({ label }) => label === 'No progress for 3 h'));
    const { filter = {} } = arrangement.current;
    assert.equal(formatFilter(filter), 'Filter: no progress for 3 h');
    const { tasks } = await own.list.history.page({ filter, limit: 9 });
    assert.deepEqual(
      tasks.map(({ key }) => key),
      [quiet?.key],
    );
  });

  it('filters by what is picked, or by what is typed; where nothing is, it leaves the filter as it was', async () => {
    await add('Manuals', rejected);
    await choose((items) => items.find(({ label }) => label === 'Problems'));
    assert.deepEqual(arrangement.current.filter, { states: PROBLEMS });
    await choose((_, typed) => typed('notes/1'));
    assert.deepEqual(arrangement.current.filter, { text: 'notes/1' });
    await choose(() => undefined);
    assert.deepEqual(arrangement.current.filter, { text: 'notes/1' });
  });

  it('is told in the view in a few words', () => {
    const cases: [TaskFilter, string][] = [
      [{ states: PROBLEMS }, 'Filter: problems'],
      [{ states: ['rejected'] }, 'Filter: rejected'],
      [{ dataset: 'Manuals', text: 'a' }, "Filter: Manuals, 'a'"],
    ];
    for (const [filter, words] of cases) assert.equal(formatFilter(filter), words);
  });

  type Items = readonly (QuickPickItem & { readonly filter: TaskFilter })[];

  async function offered(): Promise<string[]> {
    let rows: string[] = [];
    await choose((items) => {
      rows = items.map(({ label, description }) => `${label} ${description}`);
      return undefined;
    });
    return rows;
  }

  async function choose(
    pick: (items: Items, typed: (text: string) => Items[number] | undefined) => Items[number] | undefined,
  ): Promise<void> {
    const oneOrTyped = async (items: unknown, _options: unknown, typed: unknown) =>
      pick(items as Items, typed as Parameters<typeof pick>[1]) as never;
    await filterTasks({ list: own.list, picks: { ...picks, oneOrTyped } }, arrangement);
  }

  async function add(dataset: string, ...phases: Phase[]): Promise<void> {
    await own.list.add(phases.map((phase) => newTask({ dataset, createdMs: 1, phase })));
  }
});
