import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { type OwnParts, ownParts } from '../../../ownParts';
import { misleadingEnds } from './misleadingEnds';
import { nastyReports } from './nastyReports';
import { nastyRequests } from './nastyRequests';
import type { Shape } from './shape';
import { ShapeWalk } from './shapeWalk';
import { usualShapes } from './usualShapes';

/** Most picks that may lead to the end, where there are not more statuses that say nothing. */
const MAX_PICKS = 3;

/** Most inputs of the first shapes together, and of the usual ones. */
const MAX_INPUTS = 131;
const MAX_USUAL_INPUTS = 68;

const firstShapes = [...usualShapes, ...nastyReports, ...nastyRequests];
const shapes = [...firstShapes, ...misleadingEnds];

describe('A service of a shape that nobody foresaw', () => {
  let parts: OwnParts;
  let walk: ShapeWalk | undefined;

  before(async () => {
    parts = await ownParts();
  });

  afterEach(async () => {
    await walk?.end();
    walk = undefined;
    await commands.executeCommand('notifications.clearAll');
  });

  const inputs = new Map<Shape, number>();

  after(async () => {
    await parts.dispose();
    // Only where all of them were driven.
    if (shapes.some((shape) => !inputs.has(shape))) return;
    const sumOf = (some: readonly Shape[]) => some.reduce((sum, shape) => sum + (inputs.get(shape) ?? 0), 0);
    assert.ok(sumOf(firstShapes) <= MAX_INPUTS, `${sumOf(firstShapes)} inputs`);
    assert.ok(sumOf(usualShapes) <= MAX_USUAL_INPUTS, `${sumOf(usualShapes)} inputs of usual shapes`);
  });

  for (const shape of shapes) {
    it(`becomes usable by clicks and typing alone: ${shape.what}`, async () => {
      walk = await ShapeWalk.start(parts, shape);
      await walk.run();
      assert.deepEqual([walk.wrong, walk.states], [[], walk.truths]);
      assert.ok(walk.picks <= (shape.maxPicks ?? MAX_PICKS), `${walk.picks} picks`);
      inputs.set(shape, walk.inputs);
    });
  }
});
