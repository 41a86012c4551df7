import assert from 'node:assert/strict';
import { chooseMeaningOfStatus } from '../../../../src/editor/mapping/mapResponses';
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
      'All Statuses…',
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

  it('are asked about again only where a new one comes, which one click answers', async () => {
    await walk.imports(1);
    await walk.hears(status('S-A'));
    await walk.clicks('Running');
    await walk.hears(status('S-B'));
    await walk.clicks('Running');
    await walk.hears(status('S-A'));
    await walk.hears(status('S-OK', 'succeeded'));
    await walk.clicks('Succeeded');
    assert.deepEqual([walk.states, walk.wrong, walk.inputs], [['succeeded'], [], 3]);
    assert.deepEqual(
      walk.texts,
      ['S-A', 'S-B', 'S-OK'].map((each) => `Own words reports status '${each}' for 'walk 0.txt'. What does it mean?`),
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
    await chooseMeaningOfStatus({ ...walk.deps, picks } as typeof walk.deps, { taskKey: walk.tasks[0]?.key });
    assert.deepEqual(rows[0]?.slice(0, 5), [
      'S-B: not recognized',
      'S-A: not recognized',
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

  it('that were given a meaning elsewhere are given no other one by a message that was left, which says so', async () => {
    await walk.imports(1);
    await walk.hears(status('S-OK', 'succeeded'));
    const [task] = walk.tasks;
    // By the table, or in another window.
    await walk.deps.mapping.setMeaning(walk.dataset, 'S-OK', 'succeeded', task?.key);
    assert.deepEqual(walk.states, ['succeeded']);
    await walk.clicks('Failed');
    assert.deepEqual(walk.states, ['succeeded']);
    assert.deepEqual(walk.dataset.contract.queryTask.statusMeanings, { 'S-OK': 'succeeded' });
    assert.deepEqual(walk.texts.slice(1), ["There is nothing left to choose for 'walk 0.txt'."]);
  });

  it('that turned out to be none are given no meaning by a message that was left', async () => {
    await walk.imports(1);
    await walk.hears(['{"status":"v2","result":"DONE"}', 'succeeded']);
    await walk.deps.mapping.setPointer(walk.dataset, 'status', '/result', walk.tasks[0]?.key);
    await walk.clicks('Failed');
    assert.deepEqual([walk.states, walk.dataset.contract.queryTask.statusMeanings], [['succeeded'], {}]);
    assert.equal(walk.texts.at(-1), "There is nothing left to choose for 'walk 0.txt'.");
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
        await mapping.setMeaning(walk.dataset, 'S-OK', 'succeeded');
        table.choose(rowOf('S-A'), running);
        assert.ok(table.choose(rowOf('Save')));
      },
    };
    await chooseMeaningOfStatus({ ...walk.deps, picks } as typeof walk.deps, { taskKey: walk.tasks[0]?.key });
    assert.deepEqual(walk.dataset.contract.queryTask.statusMeanings, { 'S-OK': 'succeeded', 'S-A': 'running' });
    assert.deepEqual([walk.states, walk.wrong], [['running', 'succeeded'], []]);
  });

  it('are asked to be elsewhere only where they look like a measurement', async () => {
    await walk.imports(1);
    const bytes = (read: number, truth: Summary[1] = 'running'): Summary => [
      `{"state":"${read} bytes read","st":"${truth === 'running' ? 'RUNNING' : 'DONE'}"}`,
      truth,
    ];
    for (const read of [4096, 81_920, 122_880]) await walk.hears(bytes(read));
    assert.equal(walk.texts.length, 1);
    await walk.hears(bytes(900_000));
    assert.deepEqual(walk.texts.slice(1), [
      "The status that Own words reports for 'walk 0.txt' looks like a measurement: 900000 bytes read, 4096 bytes read, 81920 bytes read. Is the status elsewhere in the response? Is 'RUNNING' (/st) the status?",
    ]);
    await walk.hears(bytes(950_000));
    assert.equal(walk.texts.length, 2);
    assert.ok(walk.buttons.includes('Choose the Status…'));
    await walk.clicks('Use as Status');
    assert.deepEqual(walk.states, ['running']);
    await walk.hears(bytes(960_000, 'succeeded'));
    assert.deepEqual([walk.states, walk.wrong, walk.texts.length], [['succeeded'], [], 2]);
  });
});
