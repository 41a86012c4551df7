import assert from 'node:assert/strict';
import type { FollowedRow } from '../../../../src/tasks/following/followedRows';
import { FollowedStore } from '../../../../src/tasks/following/followedStore';
import { Refresher } from '../../../../src/tasks/following/refresher';
import { Gates } from '../../../../src/tasks/sending/gate';
import type { DestinationRow } from '../../../../src/tasks/store/model';
import { RawServer } from '../../service/rawServer';
import { answering, response } from '../../service/responses';
import { target, wire } from '../../service/wire';
import { accepted, fileOf, requestOf } from '../store/storeRequests';
import { StoreWindows } from '../store/storeWindows';

/** A store with one accepted file, whose task is checked at a service that responds with this data. */
async function followed() {
  const windows = await StoreWindows.make();
  const [store, other] = windows.pair();
  const said: { data: object } = { data: {} };
  const server = await RawServer.start((peer, count) =>
    answering(response('200 OK', JSON.stringify({ code: '0', message: null, data: said.data })))(peer, count),
  );
  const destination = { dataset: 'Manuals', origin: server.url.origin };
  const request = { ...requestOf('r', [fileOf('1')]), destination };
  const { imports } = await store.queue(request);
  await store.begin([{ import: imports[0] ?? 0, attempt: store.attempt('1') }]);
  await store.end(accepted(store.attempt('1'), 't-1'));
  const rows = new FollowedStore(store);
  const told: FollowedRow[] = [];
  rows.onChange((changed) => told.push(...changed));
  const { clock } = windows;
  const refresher = new Refresher({
    ...{ service: wire(), rows, clock, gates: new Gates(clock) },
    findTarget: async () => target(server.url),
    contractOf: () => undefined,
  });
  const row: DestinationRow = {
    ...{ id: 1, ...destination, window: null, pause: null, brake: 0, busy: false, unfinished: true },
  };
  return {
    ...{ windows, store, other, rows, told, said },
    read: () => rows.read(row),
    /** Checks the task in the background. */
    async check() {
      const [task = assert.fail('There is no task to check.')] = told.at(-1)?.tasks ?? [];
      return refresher.check(task, new AbortController().signal, false);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await windows[Symbol.asyncDispose]();
    },
  };
}

describe('The rows of the store, for following,', () => {
  it('come with their tasks, and without once these have ended', async () => {
    await using one = await followed();
    await one.read();
    const [{ row, tasks } = assert.fail()] = one.told;
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['"t-1"'],
    );
    one.said.data = { status: 'DONE' };
    await one.check();
    await one.read();
    assert.deepEqual(one.told.at(-1), { row, tasks: [] });
  });

  it('are written only if a check finds a difference', async () => {
    await using one = await followed();
    one.said.data = { status: 'RUNNING', progress: 10 };
    await one.read();
    await one.check();
    await one.read();
    const commits = one.windows.commits();
    one.said.data = { status: 'RUNNING', progress: 10, at: 7 };
    await one.check();
    assert.equal(one.windows.commits(), commits);
    one.said.data = { status: 'RUNNING', progress: 20 };
    await one.check();
    assert.equal(one.windows.commits(), commits + 1);
  });

  it('are named when another window wants them checked now', async () => {
    await using one = await followed();
    one.said.data = { status: 'RUNNING' };
    assert.deepEqual(await one.read(), []);
    await one.check();
    assert.deepEqual(await one.read(), []);
    const [{ row } = assert.fail()] = one.told;
    await one.other.checkNow({ files: [row] });
    assert.deepEqual(await one.read(), [row]);
    await one.check();
    assert.deepEqual(await one.read(), []);
  });
});
