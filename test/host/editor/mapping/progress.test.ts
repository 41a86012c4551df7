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
    await walk.deps.mapping.setRules(walk.dataset, [{ when: { '/pct': { atLeast: 100 } }, is: 'succeeded' }]);
    assert.deepEqual((await rows()).slice(1, 3), ['Status: not used: state rules apply', 'Progress: /pct']);
  });

  it('is not needed for a progress of another name: it is offered once its values have grown, and taken by one click', async () => {
    const pct = (value: number) => [`{"status":"RUNNING","rows":${value * 1000},"pct":${value}}`, 'running'] as const;
    await walk.imports(1);
    for (const value of [12, 37]) await walk.hears(pct(value));
    assert.deepEqual(walk.texts, []);
    await walk.hears(pct(80));
    assert.deepEqual(walk.texts, [
      "No progress was recognized in the responses of Own words, but '/pct' grows: 12, 37, 80. Is it the progress?",
    ]);
    await walk.clicks('Use as Progress');
    const [task] = walk.tasks;
    assert.equal(task?.phase.kind === 'accepted' && task.phase.report?.progress, 0.8);
    for (const value of [81, 85, 97]) await walk.hears(pct(value));
    assert.equal(walk.texts.length, 1);
  });

  it('is offered nothing as progress where it is read by its name', async () => {
    await walk.imports(1);
    for (const value of [12, 37, 80])
      await walk.hears([`{"status":"RUNNING","progress":${value},"n":${value}}`, 'running']);
    assert.deepEqual(walk.texts, []);
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
