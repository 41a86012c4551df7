import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { activated } from '../../../activated';
import { misleadingEnds } from './misleadingEnds';
import { nastyReports } from './nastyReports';
import { nastyRequests } from './nastyRequests';
import type { Shape } from './shape';
import { ShapeWalk } from './shapeWalk';
import { usualShapes } from './usualShapes';

/** Most picks that may lead to the end. */
const MAX_PICKS = 3;

/**
 * What these took when twenty services were first driven so, on average: a dataset asked for its name, its base URL and
 * its key; a pick took a button and a choice; an edit of the request took a button, a part, a value, and Retry Import or
 * the search for the part.
 */
const BEFORE = { dataset: 3, pick: 2, edit: 3.7 } as const;

describe('A service of a shape that nobody foresaw', () => {
  let walk: ShapeWalk | undefined;

  afterEach(async () => {
    await walk?.end();
    walk = undefined;
    await commands.executeCommand('notifications.clearAll');
  });

  const inputs = new Map<Shape, number>();

  after(() => {
    // Only where all of them were driven.
    if (usualShapes.some((shape) => !inputs.has(shape))) return;
    const sum = usualShapes.reduce((total, shape) => total + (inputs.get(shape) ?? 0), 0);
    const before = usualShapes.reduce((total, { before }) => total + inputsBefore(before), 0);
    console.log(`${usualShapes.length} shapes took ${sum} inputs, and ${before.toFixed(1)} before`);
    assert.ok(sum <= (before * 2) / 3, `${sum} inputs are more than two thirds of ${before}`);
  });

  for (const shape of [...usualShapes, ...nastyReports, ...nastyRequests, ...misleadingEnds]) {
    it(`becomes usable by clicks and typing alone: ${shape.what}`, async () => {
      walk = await ShapeWalk.start(await activated(), shape);
      await walk.adds(shape.firstKey);
      await shape.walk(walk);
      assert.deepEqual([walk.wrong, walk.states], [[], walk.truths]);
      assert.ok(walk.picks <= MAX_PICKS, `${walk.picks} picks`);
      console.log(`${shape.what} | ${walk.inputs} | ${walk.picks} | ${walk.states.join(', ')}`);
      inputs.set(shape, walk.inputs);
    });
  }
});

function inputsBefore({ picks, edits }: Shape['before']): number {
  return BEFORE.dataset + picks * BEFORE.pick + edits * BEFORE.edit;
}
