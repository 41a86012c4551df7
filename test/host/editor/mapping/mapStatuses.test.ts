import assert from 'node:assert/strict';
import { mapStatuses } from '../../../../src/editor/mapping/mapStatuses';
import { clicked } from '../../../../src/editor/targets';
import { beforeEachWalk, type Summary, type Walk } from './walk';

const [running, succeeded, failed] = [0, 1, 2];
const status = (word: string, truth: Summary[1] = 'running', more = ''): Summary => [
  `{"status":"${word}"${more}}`,
  truth,
];

describe('The statuses of a dataset', () => {
  let walk: Walk;
  beforeEachWalk((begun) => {
    walk = begun;
  });

  it('are given their meanings in one go, five of them by seven inputs, and asked about by one message', async () => {
    await walk.imports(5);
    await walk.hears(
      ...[status('S-A'), status('S-B'), status('S-C')],
      ...[status('S-OK', 'succeeded'), status('S-NO', 'failed', ',"message":"no"')],
    );
    assert.deepEqual(new Set(walk.states), new Set(['unknown']));
    assert.equal(walk.texts.length, 1, walk.texts.join(' | '));
    await walk.clicks(
      'Map Statuses…',
      ...([
        ['S-A', running],
        ['S-B', running],
        ['S-C', running],
        ['S-OK', succeeded],
        ['S-NO', failed],
      ] as const),
      'Save',
    );
    assert.deepEqual(walk.states, ['running', 'running', 'running', 'succeeded', 'failed']);
    assert.deepEqual([walk.wrong, walk.inputs, walk.texts.length], [[], 7, 1]);
    // Answered statuses are not new.
    await walk.hears(status('S-C'), status('S-A'), status('S-B'));
    assert.equal(walk.texts.length, 1);
  });

  it('are asked about again once a new one comes', async () => {
    await walk.imports(1);
    await walk.hears(status('S-A'));
    await walk.clicks('Map Statuses…', ['S-A', running], 'Save');
    await walk.hears(status('S-A'));
    await walk.hears(status('S-OK', 'succeeded'));
    await walk.clicks('Map Statuses…', ['S-OK', succeeded], 'Save');
    assert.deepEqual([walk.states, walk.wrong], [['succeeded'], []]);
    assert.deepEqual(
      walk.texts,
      ['S-A', 'S-OK'].map((each) => `Own words reports status '${each}' for 'walk 0.txt'. What does it mean?`),
    );
  });

  it('are all in the table with where their meaning comes from, those that have passed too; Enter goes on to the next', async () => {
    await walk.imports(1);
    for (const each of ['S-A', 'PROCESSING', 'S-B']) await walk.hears(status(each));
    const rows: string[][] = [];
    const picks = {
      ...walk.deps.picks,
      table: async (table: Parameters<typeof walk.deps.picks.table>[0]) => {
        const note = () => rows.push(table.rows().map(({ label, description = '' }) => `${label}: ${description}`));
        const rowOf = (label: string) => table.rows().find((row) => row.label === label) ?? assert.fail(label);
        note();
        for (let times = 0; times < 3; times++) table.choose(rowOf('S-B'));
        assert.ok(table.isActive(rowOf('S-B')));
        note();
        table.choose(rowOf('S-B'));
        assert.ok(table.choose(rowOf('Save')));
      },
    };
    await mapStatuses({ ...walk.deps, picks } as typeof walk.deps, clicked({ taskKey: walk.tasks[0]?.key ?? 0 }));
    assert.deepEqual(rows[0]?.slice(0, 5), [
      'S-B: not recognized',
      'S-A: Running (another status followed)',
      'PROCESSING: Running (recognized)',
      ': ',
      'Save: nothing changed',
    ]);
    assert.deepEqual(
      rows[1]?.filter((row) => /^S-B|^Save/.test(row)),
      ['S-B: Failed (chosen)', 'Save: '],
    );
    assert.deepEqual([walk.states, walk.dataset.contract.queryTask.statusMeanings], [['unknown'], {}]);
  });

  it('are no longer asked about by an open message if their meaning was set elsewhere', async () => {
    await walk.imports(1);
    await walk.hears(status('S-OK', 'succeeded'));
    await walk.deps.mapping.setMeanings(walk.dataset, new Map([['S-OK', 'succeeded']]));
    assert.deepEqual(walk.states, ['succeeded']);
    await walk.clicks('Map Statuses…', 'Save');
    assert.deepEqual(walk.dataset.contract.queryTask.statusMeanings, { 'S-OK': 'succeeded' });
  });

  it('are saved as far as they were changed, whatever else was set meanwhile', async () => {
    await walk.imports(2);
    await walk.hears(status('S-A'), status('S-OK', 'succeeded'));
    const { mapping } = walk.deps;
    const picks = {
      ...walk.deps.picks,
      table: async (table: Parameters<typeof walk.deps.picks.table>[0]) => {
        const rowOf = (label: string) => table.rows().find((row) => row.label === label) ?? assert.fail(label);
        // In another window, while the table is open here.
        await mapping.setMeanings(walk.dataset, new Map([['S-OK', 'succeeded']]));
        table.choose(rowOf('S-A'), running);
        assert.ok(table.choose(rowOf('Save')));
      },
    };
    await mapStatuses({ ...walk.deps, picks } as typeof walk.deps, clicked({ taskKey: walk.tasks[0]?.key ?? 0 }));
    assert.deepEqual(walk.dataset.contract.queryTask.statusMeanings, { 'S-OK': 'succeeded', 'S-A': 'running' });
    assert.deepEqual([walk.states, walk.wrong], [['running', 'succeeded'], []]);
  });
});
