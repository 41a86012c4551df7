import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { mapResponses } from '../../../../src/editor/mapping/mapResponses';
import { beforeEachWalk, type Walk } from './walk';

describe('Map Responses', () => {
  let walk: Walk;
  beforeEachWalk((begun) => {
    walk = begun;
  });

  it('calls recognized only what was read in a response, and says where', async () => {
    assert.deepEqual((await rows()).slice(0, 4), [
      ...[
        'Task ID: no response yet',
        'Status: no response yet',
        'Progress: no response yet',
        'Message: no response yet',
      ],
    ]);
    await walk.imports(1);
    await walk.hears(['{"status":"RUNNING","pct":12}', 'running']);
    assert.deepEqual((await rows()).slice(0, 4), [
      ...['Task ID: /taskId (recognized)', 'Status: /status (recognized)', 'Progress: not recognized'],
      'Message: not recognized',
    ]);
    await walk.deps.mapping.setPointer(walk.dataset, 'progress', '/pct');
    assert.equal((await rows())[2], 'Progress: /pct');
  });

  /** The labels and descriptions of the pick. */
  async function rows(): Promise<string[]> {
    let shown: readonly QuickPickItem[] = [];
    const one = async (items: readonly QuickPickItem[]) => {
      shown = items;
      return undefined;
    };
    const deps = { ...walk.deps, picks: { ...walk.deps.picks, one } } as typeof walk.deps;
    await mapResponses(deps, { dataset: walk.dataset });
    return shown.map(({ label, description = '' }) => `${label}: ${description}`);
  }
});
