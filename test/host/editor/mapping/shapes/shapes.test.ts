import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { type OwnServices, ownServices } from '../../../ownServices';
import { nastyReports } from './nastyReports';
import { nastyRequests } from './nastyRequests';
import { ShapeWalk } from './shapeWalk';
import { usualShapes } from './usualShapes';

/** The default for a shape's `maxPicks`. */
const MAX_PICKS = 3;

const shapes = [...usualShapes, ...nastyReports, ...nastyRequests];

describe('A service', () => {
  let services: OwnServices;
  let walk: ShapeWalk | undefined;

  before(async () => {
    services = await ownServices();
  });

  afterEach(async () => {
    await walk?.end();
    walk = undefined;
    await commands.executeCommand('notifications.clearAll');
  });

  after(() => services.dispose());

  for (const shape of shapes) {
    it(`becomes usable within a few clicks despite ${shape.what}`, async function () {
      walk = await ShapeWalk.start(services, shape);
      await walk.run();
      assert.deepEqual(walk.wrong, []);
      assert.ok(walk.expressions <= 1);
      assert.ok(walk.user.picked <= (shape.maxPicks ?? MAX_PICKS), `${walk.user.picked} picks`);
      // Shows each service's number of picks, expressions and inputs in the test report.
      this.runnable().title += ` (picks: ${walk.user.picked}, expressions: ${walk.expressions}, inputs: ${walk.user.inputs})`;
    });
  }
});
