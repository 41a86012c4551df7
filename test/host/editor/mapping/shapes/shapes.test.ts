import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { activated } from '../../../activated';
import { misleadingEnds } from './misleadingEnds';
import { nastyReports } from './nastyReports';
import { nastyRequests } from './nastyRequests';
import type { Shape } from './shape';
import { ShapeWalk } from './shapeWalk';
import { usualShapes } from './usualShapes';

/** Most picks that may lead to the end, where there are not more statuses that say nothing. */
const MAX_PICKS = 3;

/** Most inputs of the first shapes together: they took 157 when one question came after the other. */
const MAX_INPUTS = 131;

/**
 * What these took when twenty services were first driven so, on average: a dataset asked for its name, its base URL and
 * its key; a pick took a button and a choice; an edit of the request took a button, a part, a value, and Import Again or
 * the search for the part.
 */
const BEFORE = { dataset: 3, pick: 2, edit: 3.7 } as const;

const firstShapes = [...usualShapes, ...nastyReports, ...nastyRequests];
const shapes = [...firstShapes, ...misleadingEnds];

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
    if (shapes.some((shape) => !inputs.has(shape))) return;
    const all = firstShapes.reduce((sum, shape) => sum + (inputs.get(shape) ?? 0), 0);
    console.log(`The first ${firstShapes.length} shapes took ${all} inputs`);
    assert.ok(all <= MAX_INPUTS, `${all} inputs`);
    const sum = usualShapes.reduce((total, shape) => total + (inputs.get(shape) ?? 0), 0);
    const before = usualShapes.reduce((total, { before }) => total + inputsBefore(before), 0);
    console.log(`${usualShapes.length} shapes took ${sum} inputs, and ${before.toFixed(1)} before`);
    assert.ok(sum <= (before * 2) / 3, `${sum} inputs are more than two thirds of ${before}`);
  });

  for (const shape of shapes) {
    it(`becomes usable by clicks and typing alone: ${shape.what}`, async () => {
      walk = await ShapeWalk.start(await activated(), shape);
      await walk.adds(shape.firstKey);
      await shape.walk(walk);
      assert.deepEqual([walk.wrong, walk.states], [[], walk.truths]);
      assert.ok(walk.picks <= Math.max(MAX_PICKS, shape.before.picks), `${walk.picks} picks`);
      console.log(`${shape.what} | ${walk.inputs} | ${walk.picks} | ${walk.states.join(', ')}`);
      inputs.set(shape, walk.inputs);
    });
  }
});

function inputsBefore({ picks, edits }: Shape['before']): number {
  return BEFORE.dataset + picks * BEFORE.pick + edits * BEFORE.edit;
}
