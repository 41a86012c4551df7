// Marks imports as sending and stores their outcomes. After each step, prints the outcomes that a power loss must not
// undo from then on.
import { writeSync } from 'node:fs';
import { perform, threadState } from '../../../../src/tasks/store/importStoreProgram';
import { MIGRATIONS } from '../../../../src/tasks/store/schema';
import { Transactions } from '../../../../src/tasks/store/transactions';
import { systemClock } from '../../../../src/tasks/timing/clock';
import { accepted, fileOf, requestOf } from './storeRequests';

async function run(file: string): Promise<void> {
  const window = { id: 'W', machine: 'here', pid: process.pid };
  const setup = { path: file, migrations: MIGRATIONS, lockTimeoutMs: 100, onSetAside() {} };
  const transactions = new Transactions(setup, threadState(window, systemClock, MIGRATIONS.length));
  const call = <Result>(operation: string, argument: unknown) =>
    perform(transactions, operation, argument) as Promise<Result>;
  const names = Array.from({ length: 12 }, (_, index) => fileOf(`${index}`));
  const { imports } = await call<{ imports: number[] }>('queue', requestOf('r', names));
  writeSync(1, 'promised {}\n');
  const promised: Record<string, string> = {};
  for (let group = 0; group < imports.length; group += 4) {
    const attempts = imports.slice(group, group + 4).map((id) => ({ import: id, attempt: `W ${id}` }));
    await call('begin', attempts);
    for (const { attempt } of attempts) promised[attempt] = 'sending';
    writeSync(1, `promised ${JSON.stringify(promised)}\n`);
    await Promise.all(attempts.map(({ attempt }) => call('end', accepted(attempt, attempt))));
    for (const { attempt } of attempts) promised[attempt] = 'accepted';
    writeSync(1, `promised ${JSON.stringify(promised)}\n`);
  }
}

void run(process.argv[2] ?? '');
