import assert from 'node:assert/strict';
import { wasAcceptedEarly } from '../../../src/tasks/trackedTask';
import { response, TAKEN } from '../service/responses';
import { LARGE, partLeft, theEnded, toldEndOf } from './endedImport';
import { ImportWindow } from './importWindow';
import { atBodyByte, says } from './script';

/** What the service responds once it has read the first KiB of a large file; it reads the rest, too. */
const early = (bytes: Buffer) => atBodyByte(1024, says(bytes));

describe('file-task against a service that responds early', () => {
  it('an early 401 pauses for the access key', async () => {
    await using window = await ImportWindow.open({ script: early(response('401 Unauthorized', 'no')) });
    await window.import(await window.check('large.txt', LARGE));
    assert.equal(toldEndOf(window), 'badKey: rejected: 401: no');
    assert.equal(window.posts, 1);
  });

  it('an early 413 stops the upload, which is rejected', async () => {
    await using window = await ImportWindow.open({ script: early(response('413 Content Too Large', 'at most 1 MiB')) });
    await window.import(await window.check('large.txt', LARGE));
    assert.equal(toldEndOf(window), 'rejected: 413: at most 1 MiB');
    assert.deepEqual([theEnded(window).attempts.map(partLeft), window.posts], [['some'], 1]);
  });

  it('an early 302 is unconfirmed', async () => {
    const moved = response('302 Found', '', 'Location: https://elsewhere.invalid/');
    await using window = await ImportWindow.open({ script: early(moved) });
    await window.import(await window.check('large.txt', LARGE));
    assert.equal(toldEndOf(window), 'unconfirmed: BadResponseError redirect');
  });

  it('an early 200 is accepted, and says so in the outcome, in the log, and with the task', async () => {
    await using window = await ImportWindow.open({ script: early(response('200 OK', TAKEN)) });
    await window.import(await window.check('large.txt', LARGE));
    const [outcome] = window.faulty.outcomes;
    assert.ok(outcome?.kind === 'accepted' && outcome.isEarly);
    assert.deepEqual(outcome.response.deviations, ['the response came before the whole request had left']);
    assert.equal(wasAcceptedEarly(theEnded(window)), true);
  });
});
