import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { type OwnParts, ownParts } from '../../../ownParts';
import { nastyReports } from './nastyReports';
import { nastyRequests } from './nastyRequests';
import { ShapeWalk } from './shapeWalk';
import { usualShapes } from './usualShapes';

/** Most picks that may lead to the end, where there are not more statuses that say nothing. */
const MAX_PICKS = 3;

const shapes = [...usualShapes, ...nastyReports, ...nastyRequests];

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

  after(() => parts.dispose());

  it('needs an expression in at most a third of all services', () => {
    const withExpression = shapes.filter(({ steps }) =>
      steps.some((step) => typeof step === 'object' && 'state' in step),
    );
    assert.ok(withExpression.length <= shapes.length / 3, `${withExpression.length} of ${shapes.length}`);
  });

  for (const shape of shapes) {
    it(`becomes usable by picks and at most one expression: ${shape.what}`, async function () {
      walk = await ShapeWalk.start(parts, shape);
      await walk.run();
      assert.deepEqual([walk.wrong, walk.states], [[], walk.truths]);
      assert.ok(walk.expressions <= 1);
      assert.ok(walk.user.picked <= (shape.maxPicks ?? MAX_PICKS), `${walk.user.picked} picks`);
      // The list of tests shows what each service takes.
      this.runnable().title += ` (picks: ${walk.user.picked}, expressions: ${walk.expressions}, inputs: ${walk.user.inputs})`;
    });
  }
});
