import assert from 'node:assert/strict';
import { beforeEachWalk, walk } from './reportingWalk';
import { Walk } from './walk';

describe('The message about an unrecognized response', () => {
  beforeEachWalk();

  it('asks what a status means only once per dataset, until the mapping changes', async () => {
    await walk.importFiles(2);
    await walk.report('{"status":"A"}', '{"status":"B"}');
    await walk.report('{"status":"A"}', '{"status":"B2"}');
    assert.equal(walk.texts.length, 1);
    await walk.services.datasets.override(walk.dataset, ['queryTask', 'statusMeanings'], { A: 'running' });
    await walk.report('{"status":"A"}', '{"status":"B2"}');
    // Either task may be checked first.
    assert.match(walk.texts[0] ?? '', /^Own words reports status '[AB]' for 'walk [01]\.txt'\. What does it mean\?$/);
    assert.deepEqual(walk.texts.slice(1), ["Own words reports status 'B2' for 'walk 1.txt'. What does it mean?"]);
    for (const button of ['Map Statuses…', 'Map Responses…', 'Show Details']) assert.ok(walk.user.hasButton(button));
  });

  for (const [what, reports, counts] of [
    ['in a later session, while the old one remains', ['{"status":"A"}', '{"status":"B"}'], [1, 1]],
    ['in the same session, once no row has the old one', ['{"status":"B"}'], [2, 0]],
  ] as const)
    it(`appears again for a different problem ${what}`, async () => {
      await walk.importFiles(reports.length);
      const later = new Walk(walk.services);
      for (const found of [['{"status":"A"}'], reports]) {
        await walk.report(...found);
        await later.showMessages();
        assert.deepEqual([walk.texts.length, later.user.texts.length], found === reports ? counts : [1, 0]);
      }
      later.end();
      assert.match([...walk.texts, ...later.user.texts][1] ?? '', /^Own words reports status 'B' for /);
    });

  it('asks about a new status once the question is closed, but not again about the statuses that it covered', async () => {
    await walk.importFiles(2);
    await walk.report('{"status":"A"}', '{"status":"B"}');
    await walk.services.datasets.override(walk.dataset, ['queryTask', 'statusMeanings'], { OTHER: 'running' });
    await walk.report('{"status":"A"}', '{"status":"B"}');
    const before = walk.texts.length;
    await walk.click('Show Details');
    await walk.report('{"status":"A"}', '{"status":"B"}');
    assert.equal(walk.texts.length, before);
    await walk.report('{"status":"A"}', '{"status":"C"}');
    assert.deepEqual(walk.texts.slice(before), ["Own words reports status 'C' for 'walk 1.txt'. What does it mean?"]);
    for (const status of ['D', 'E']) {
      await walk.click('Show Details');
      await walk.report('{"status":"A"}', `{"status":"${status}"}`);
    }
    assert.match(walk.texts.slice(before + 1).join(), /^Own words reports status 'D' for 'walk 1\.txt'\. [^']*$/);
  });

  it('quotes the response if it has no recognizable status', async () => {
    await walk.importFiles(1);
    await walk.report('{"x":1}');
    await walk.report('{"x":2}');
    assert.deepEqual(walk.texts, ['No status was recognized in the response for \'walk 0.txt\': {"x":1}']);
    const areOffered = ['Map Responses…', 'Map Statuses…'].map((button) => walk.user.hasButton(button));
    assert.deepEqual(areOffered, [true, false]);
  });

  it('reports that the state expression does not yield a valid state', async () => {
    await walk.importFiles(1);
    await walk.services.datasets.override(walk.dataset, ['queryTask', 'state'], 'flag');
    await walk.report('{"flag":7}');
    assert.deepEqual(walk.texts, [
      'The state expression of Own words yielded 7 for \'walk 0.txt\'. It must yield one of "running", "succeeded", "failed".',
    ]);
  });

  it('quotes the rejection if the service rejects a status check, and offers to edit the request', async () => {
    await walk.importFiles(2);
    await walk.report(undefined, undefined);
    assert.deepEqual(walk.texts, ["The status check of 'walk 0.txt' at Own words failed: code 4711: Which one?"]);
    assert.ok(walk.user.hasButton('Edit Request…'));
  });

  it('reports a rejected status check again after the request has changed, but not before the next check', async () => {
    await walk.importFiles(1);
    await walk.report(undefined);
    await walk.services.datasets.override(walk.dataset, ['queryTask', 'body'], { taskId: '${taskId}', kind: 1 });
    await walk.showMessages();
    assert.equal(walk.texts.length, 1);
    await walk.report(undefined);
    assert.equal(walk.texts.length, 2);
  });

  it('offers once to map the responses if they have the task ID of another file', async () => {
    await walk.services.datasets.override(walk.dataset, ['fileTask', 'taskId'], '/user');
    await walk.importTogether('a.txt', 'b.txt', 'c.txt');
    await walk.showMessages();
    const offers = walk.texts.filter((text) =>
      /^'b\.txt' at Own words: The response has the task ID of 'walk\/a\.txt'/.test(text),
    );
    assert.equal(offers.length, 1);
    await walk.click('Map Responses…', /T-/);
    await walk.untilStates('waiting', 'waiting', 'waiting');
  });

  it('asks what an unrecognized status means, even if an earlier status check was rejected', async () => {
    await walk.importFiles(1);
    await walk.report(undefined);
    await walk.report('{"status":"A"}');
    assert.equal(walk.texts.at(-1), "Own words reports status 'A' for 'walk 0.txt'. What does it mean?");
    assert.ok(walk.user.hasButton('Map Statuses…'));
  });
});
