import assert from 'node:assert/strict';
import { setMeanings } from '../../../../src/editor/mapping/changeMapping';
import { mapStatuses } from '../../../../src/editor/mapping/mapStatuses';
import { beforeEachWalk, type ReportingWalk } from './reportingWalk';

const [running, succeeded, failed] = [0, 1, 2];
const status = (word: string, more = '') => `{"status":"${word}"${more}}`;

describe('The statuses of a dataset', () => {
  let walk: ReportingWalk;
  beforeEachWalk((begun) => {
    walk = begun;
  });

  it('get their meanings in one go: one message, and seven inputs for five of them', async () => {
    await walk.imports(5);
    await walk.hears(
      ...[status('S-A'), status('S-B'), status('S-C')],
      ...[status('S-OK'), status('S-NO', ',"message":"no"')],
    );
    assert.deepEqual(new Set(await walk.states()), new Set(['unknown']));
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
    await walk.untilStates('running', 'running', 'running', 'succeeded', 'failed');
    const asked = walk.texts.filter((text) => text.includes('What does it mean?'));
    assert.deepEqual([walk.user.inputs, asked.length], [7, 1]);
  });

  it('are asked about again when there is a new one', async () => {
    await walk.imports(1);
    await walk.hears(status('S-A'));
    await walk.clicks('Map Statuses…', ['S-A', running], 'Save');
    await walk.hears(status('S-A'));
    await walk.hears(status('S-OK'));
    await walk.clicks('Map Statuses…', ['S-OK', succeeded], 'Save');
    await walk.untilStates('succeeded');
    assert.deepEqual(
      walk.texts,
      ['S-A', 'S-OK'].map((each) => `Own words reports status '${each}' for 'walk 0.txt'. What does it mean?`),
    );
  });

  it('are in the table with the origin of their meaning, and Enter goes on to the next meaning', async () => {
    await walk.imports(1);
    await walk.imports(1);
    await walk.hears(status('S-B'), status('PROCESSING'));
    const rows: string[][] = [];
    const picks = {
      ...walk.services.picks,
      table: async (table: Parameters<typeof walk.services.picks.table>[0]) => {
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
    await mapStatuses({ ...walk.services, picks } as typeof walk.services, await walk.row());
    assert.deepEqual(rows[0]?.slice(0, 4), [
      'S-B: not recognized',
      'PROCESSING: Running (recognized)',
      ': ',
      'Save: nothing changed',
    ]);
    assert.deepEqual(
      rows[1]?.filter((row) => /^S-B|^Save/.test(row)),
      ['S-B: Failed (chosen)', 'Save: '],
    );
    assert.deepEqual(
      [await walk.states(), walk.dataset.contract.queryTask.statusMeanings],
      [['unknown', 'running'], {}],
    );
  });

  it('are saved only if they were changed here, because another window may have set others', async () => {
    await walk.imports(2);
    await walk.hears(status('S-A'), status('S-OK'));
    const picks = {
      ...walk.services.picks,
      table: async (table: Parameters<typeof walk.services.picks.table>[0]) => {
        const rowOf = (label: string) => table.rows().find((row) => row.label === label) ?? assert.fail(label);
        // In another window, while the table is open here.
        await setMeanings(walk.services, walk.dataset, new Map([['S-OK', 'succeeded']]));
        table.choose(rowOf('S-A'), running);
        assert.ok(table.choose(rowOf('Save')));
      },
    };
    await mapStatuses({ ...walk.services, picks } as typeof walk.services, await walk.row());
    assert.deepEqual(walk.dataset.contract.queryTask.statusMeanings, { 'S-OK': 'succeeded', 'S-A': 'running' });
    await walk.hears();
    await walk.untilStates('running', 'succeeded');
  });
});
