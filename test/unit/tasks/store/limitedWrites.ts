// Writes more than this process's file size limit allows, so that SQLite gets an I/O error.
import { threadState } from '../../../../src/tasks/store/importStoreProgram';
import type { StoreFault } from '../../../../src/tasks/store/storeFault';
import { Transactions } from '../../../../src/tasks/store/transactions';
import { systemClock } from '../../../../src/tasks/timing/clock';

async function run(file: string): Promise<void> {
  const migrations = ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT) STRICT'];
  const setup = { path: file, migrations, lockTimeoutMs: 100, onSetAside() {} };
  const window = { id: 'A', machine: 'here', pid: process.pid };
  const transactions = new Transactions(setup, threadState(window, systemClock, 1));
  const add = (id: number, bytes: number) =>
    transactions.do(true, (tx) => {
      tx.run("INSERT INTO notes VALUES (?, printf('%.*c', ?, 'x'))", id, bytes);
      return id;
    });
  const settled = await Promise.allSettled([add(1, 10), add(2, 4_000_000), add(3, 10)]);
  const results = settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    const { reason, cause } = one.reason as StoreFault;
    return `${reason} ${(cause as { errcode?: number }).errcode}`;
  });
  const ids = await transactions.do(false, (tx) => tx.all<{ id: number }>('SELECT id FROM notes').map(({ id }) => id));
  console.log(JSON.stringify({ results, ids }));
}

void run(process.argv[2] ?? '');
