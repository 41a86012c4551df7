import assert from 'node:assert/strict';
import path from 'node:path';
import { type ImportStore, openImportStore } from '../../../../src/tasks/store/importStore';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { accepted, fileOf, requestOf } from './storeRequests';

const PROGRAM = path.join(__dirname, '../../../../src/tasks/store/importStoreProgram.js');
const DYING = path.join(__dirname, 'dyingImportStoreProgram.js');

async function open(program: string, id = 'W') {
  const files = await TemporaryFiles.make();
  const { path: file } = files.at('storage/imports.sqlite');
  const window = { id, machine: 'here', pid: process.pid };
  const asides: unknown[] = [];
  const store = openImportStore({ path: file, window }, { program, onSetAside: (aside) => asides.push(aside) });
  return {
    store,
    files,
    asides,
    async [Symbol.asyncDispose]() {
      await store.close();
      await files[Symbol.asyncDispose]();
    },
  };
}

async function send(store: ImportStore, window: string) {
  const { imports } = await store.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
  const [one, two] = [`${window} 1`, `${window} 2`];
  const attempts = imports.map((id, index) => ({ import: id ?? 0, attempt: [one, two][index] ?? '' }));
  assert.deepEqual(await store.begin(attempts), [one, two]);
  const ended = await Promise.all([store.end(accepted(one, 't1')), store.end(accepted(two, 't2'))]);
  return ended.map((one) => one?.outcome);
}

describe("The task store's worker", () => {
  it('reports why a call failed, and that a damaged database file was set aside', async () => {
    await using opened = await open(PROGRAM);
    await opened.files.write('storage', 'a file');
    await assert.rejects(opened.store.counts(null), { name: 'StoreFault', reason: 'unusable' });
    await using other = await open(PROGRAM);
    await other.store.counts(null);
    await other.files.write('storage/imports.sqlite', 'no database '.repeat(1000));
    await other.store.counts(null);
    assert.equal(other.asides.map((aside) => (aside as { reason: string }).reason).join(), 'damaged');
  });

  for (const [answer, operation] of ['a queue call', 'a begin call', 'end calls'].entries())
    it(`does not apply ${operation} twice if it dies between the commit and the reply`, async () => {
      await using opened = await open(DYING, String(answer));
      assert.deepEqual(await send(opened.store, String(answer)), ['accepted', 'accepted']);
      assert.deepEqual((await opened.store.counts(null)).states, { waiting: 2 });
      const { rows } = await opened.store.page({ filter: {}, limit: 9 });
      const ids = rows.map(({ tasks }) => tasks.map(({ id }) => id));
      assert.deepEqual(ids, [['"t1"'], ['"t2"']]);
      assert.equal((await opened.store.details(1))?.imports.length, 1);
    });

  it('gives up on an operation after dying twice while running it', async () => {
    await using opened = await open(DYING, 'always');
    await assert.rejects(opened.store.counts(null), { name: 'StoreFault', reason: 'ended' });
  });

  it('rejects unanswered calls when it is closed, and restarts with the next call', async () => {
    await using opened = await open(PROGRAM);
    const unanswered = assert.rejects(opened.store.counts(null), { reason: 'ended' });
    await opened.store.close();
    await unanswered;
    assert.deepEqual((await opened.store.counts(null)).states, {});
  });
});
