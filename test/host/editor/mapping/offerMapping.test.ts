import assert from 'node:assert/strict';
import { setMeanings, setState } from '../../../../src/editor/mapping/changeMapping';
import { beforeEachWalk, type ReportingWalk } from './reportingWalk';

describe('The message about a response', () => {
  let walk: ReportingWalk;
  beforeEachWalk((begun) => {
    walk = begun;
  });

  it('asks what a status means once per dataset until its mapping changes', async () => {
    await walk.imports(2);
    await walk.hears('{"status":"A"}', '{"status":"B"}');
    await walk.hears('{"status":"A"}', '{"status":"B2"}');
    assert.equal(walk.texts.length, 1);
    await setMeanings(walk.services, walk.dataset, new Map([['A', 'running']]));
    await walk.hears('{"status":"A"}', '{"status":"B2"}');
    const question = (status: string, file: number) =>
      `Own words reports status '${status}' for 'walk ${file}.txt'. What does it mean?`;
    assert.deepEqual(walk.texts, [question('A', 0), question('B2', 1)]);
    for (const button of ['Map Statuses…', 'Map Responses…', 'Show Details']) assert.ok(walk.user.hasButton(button));
  });

  it('closes once everything is recognized', async () => {
    await walk.imports(1);
    await walk.hears('{"status":"A"}');
    assert.ok(walk.user.hasButton('Map Statuses…'));
    await walk.hears('{"status":"SUCCEEDED"}');
    assert.equal(walk.user.hasButton('Map Statuses…'), false);
    assert.equal(walk.texts.length, 1);
  });

  it("asks where the status is, with the service's response", async () => {
    await walk.imports(1);
    await walk.hears('{"x":1}');
    await walk.hears('{"x":2}');
    assert.deepEqual(walk.texts, ['No status was recognized in the response for \'walk 0.txt\': {"x":1}']);
    assert.deepEqual(
      ['Map Responses…', 'Map Statuses…'].map((button) => walk.user.hasButton(button)),
      [true, false],
    );
  });

  it('asks for another state expression if it yields no state', async () => {
    await walk.imports(1);
    await setState(walk.services, walk.dataset, 'flag');
    await walk.hears('{"flag":7}');
    assert.deepEqual(walk.texts, [
      'The state expression of Own words yielded 7 for \'walk 0.txt\'. It must yield one of "running", "succeeded", "failed".',
    ]);
  });

  it('says that a response lists several tasks, and that none is known to be ours', async () => {
    await walk.imports(1);
    await walk.hears('[{"taskId":"t-0","status":"FAILED"},{"taskId":"t-2","status":"RUNNING"}]');
    assert.deepEqual(walk.texts, [
      "The response for 'walk 0.txt' lists several tasks, and none of them is known to be this one.",
    ]);
  });

  it('offers to edit the request if the service rejects status checks, in its own words', async () => {
    await walk.imports(2);
    await walk.hears(undefined, undefined);
    assert.deepEqual(walk.texts, ["Own words rejected the status check of 'walk 0.txt': code 4711: Which one?"]);
    assert.ok(walk.user.hasButton('Edit Request…'));
  });

  it('asks about a status after the service has stopped rejecting status checks', async () => {
    await walk.imports(1);
    await walk.hears(undefined);
    await walk.hears('{"status":"A"}');
    assert.equal(walk.texts.at(-1), "Own words reports status 'A' for 'walk 0.txt'. What does it mean?");
    assert.ok(walk.user.hasButton('Map Statuses…'));
  });

  it('does not appear for known statuses', async () => {
    await walk.imports(3);
    await walk.hears('{"status":"RUNNING"}', '{"status":"done"}', '{"status":"失败"}');
    assert.deepEqual(
      walk.texts.filter((text) => /What does it mean|No status/.test(text)),
      [],
    );
  });
});
