import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { mapStatuses } from '../../../../src/editor/mapping/mapStatuses';
import { beforeEachWalk, walk } from './reportingWalk';

const status = (name: string, more = '') => `{"status":"${name}"${more}}`;

describe('Map Statuses…', () => {
  beforeEachWalk();

  it('lets the user map five statuses with one pick each', async () => {
    await walk.importFiles(5);
    await walk.report(status('S-A'), status('S-B'), status('S-C'), status('S-OK'), status('S-NO', ',"message":"no"'));
    assert.deepEqual(new Set(await walk.states()), new Set(['unknown']));
    assert.equal(walk.texts.length, 1, walk.texts.join(' | '));
    const picks = ['S-A → Running', 'S-B → Running', 'S-C → Running', 'S-OK → Succeeded', 'S-NO → Failed'];
    await walk.click('Map Statuses…', ...picks);
    await walk.untilStates('running', 'running', 'running', 'succeeded', 'failed');
    const asked = walk.texts.filter((text) => text.includes('What does it mean?'));
    assert.deepEqual([walk.user.inputs, asked.length], [6, 1]);
  });

  it('lists a status that the user was asked about even if the task has moved on from it', async () => {
    await walk.importFiles(1);
    await walk.report(status('COOKING'));
    await walk.report(status('SUCCEEDED'));
    await walk.click('Map Statuses…', 'COOKING → Failed');
    assert.deepEqual(walk.dataset.contract.queryTask.statusMeanings, { COOKING: 'failed' });
  });

  it('lists unrecognized statuses first, marks the current meanings, and saves the picks when the user closes the list', async () => {
    await walk.importFiles(2);
    await walk.report(status('S-B'), status('PROCESSING'));
    const shown: string[][] = [];
    const one = async (items: readonly QuickPickItem[]) => {
      // Another window saves a meaning while the list is open.
      await walk.services.datasets.override(walk.dataset, ['queryTask', 'statusMeanings', 'S-C'], 'running');
      shown.push(items.map(({ label, description }) => (description ? `${label} (${description})` : label)));
      return items.find(({ label }) => label === 'PROCESSING → Failed' && shown.length === 1);
    };
    const picks = { ...walk.services.picks, one };
    await mapStatuses({ ...walk.services, picks } as typeof walk.services, walk.dataset, await walk.row());
    assert.deepEqual(shown[0], [
      'not recognized',
      'S-B → Running',
      'S-B → Succeeded',
      'S-B → Failed',
      'recognized',
      'PROCESSING → Running (current)',
      'PROCESSING → Succeeded',
      'PROCESSING → Failed',
    ]);
    assert.deepEqual(shown[1]?.slice(5), [
      'PROCESSING → Failed (current)',
      'PROCESSING → Running',
      'PROCESSING → Succeeded',
      'PROCESSING → Recognize Automatically',
    ]);
    assert.deepEqual(walk.dataset.contract.queryTask.statusMeanings, { 'S-C': 'running', PROCESSING: 'failed' });
  });
});
