import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { threadState } from '../../../../src/tasks/store/importStoreProgram';
import { Transactions } from '../../../../src/tasks/store/transactions';
import type { Tx } from '../../../../src/tasks/store/tx';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { HandClock } from '../handClock';

/** A table that the extension doesn't use. */
const NOTES = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT) STRICT';

async function open() {
  const files = await TemporaryFiles.make();
  const setup = { path: files.at('notes.sqlite').path, migrations: [NOTES], lockTimeoutMs: 100, onSetAside() {} };
  const window = { id: 'A', machine: 'here', pid: process.pid };
  const transactions = new Transactions(setup, threadState(window, new HandClock(), 1));
  return {
    add: (id: number, change?: (tx: Tx) => void) =>
      transactions.do(true, (tx) => {
        tx.run('INSERT INTO notes VALUES (?, ?)', id, `note ${id}`);
        change?.(tx);
        return id;
      }),
    ids: () => transactions.do(false, (tx) => tx.all<{ id: number }>('SELECT id FROM notes').map(({ id }) => id)),
    async [Symbol.asyncDispose]() {
      await transactions.close();
      await files[Symbol.asyncDispose]();
    },
  };
}

function settled(results: readonly PromiseSettledResult<number>[]) {
  return results.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as { reason: string }).reason));
}

describe('Operations that share a commit', () => {
  it('fail individually if their data violates a constraint, has the wrong type or is too big', async () => {
    await using store = await open();
    const results = await Promise.allSettled([
      store.add(1),
      store.add(2, (tx) => void tx.run("INSERT INTO notes VALUES ('x', NULL)")),
      store.add(3, (tx) => void tx.run('INSERT INTO notes VALUES (9, zeroblob(2000000000))')),
      store.add(4, (tx) => void tx.run('INSERT INTO notes VALUES (1, NULL)')),
      store.add(5),
    ]);
    assert.deepEqual(settled(results), [1, 'invalid', 'invalid', 'invalid', 5]);
    assert.deepEqual(await store.ids(), [1, 5]);
  });

  it('are retried one at a time if the disk is full, so that only the operation that needs more space fails', async () => {
    await using store = await open();
    const large = (tx: Tx) => {
      tx.one('PRAGMA max_page_count = 20');
      tx.run("INSERT INTO notes VALUES (99, printf('%.*c', 1000000, 'x'))");
    };
    const results = await Promise.allSettled([store.add(1), store.add(2, large), store.add(3)]);
    assert.deepEqual(settled(results), [1, 'full', 3]);
    assert.deepEqual(await store.ids(), [1, 3]);
  });

  it('are retried one at a time after an I/O error, and none is applied twice', async () => {
    await using files = await TemporaryFiles.make();
    const program = path.join(__dirname, 'limitedWrites.js');
    const command = `trap '' XFSZ; ulimit -f 600; exec "$0" --no-warnings "${program}" "${files.at('notes.sqlite').path}"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath]);
    assert.deepEqual(JSON.parse(stdout), { results: [1, 'full 778', 3], ids: [1, 3] });
  });
});
