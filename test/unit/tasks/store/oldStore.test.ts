import assert from 'node:assert/strict';
import { SqliteFile } from '../../../../src/tasks/database/sqliteFile';
import { TaskList } from '../../../../src/tasks/store/taskList';
import { TASK_MIGRATIONS } from '../../../../src/tasks/store/taskMigrations';
import { TaskStore } from '../../../../src/tasks/store/taskStore';
import { thisWindow } from '../../../../src/tasks/store/windowLease';
import type { Phase } from '../../../../src/tasks/trackedTask';
import { clockOf, sourceOf, TemporaryStore } from '../temporaryStore';

/** The layout before tasks had an origin. */
const OLD = TASK_MIGRATIONS.slice(0, 1);
const OLD_ORIGIN = 'https://old.example.com';
const NEW_ORIGIN = 'https://new.example.com';

const failure = { name: 'CanceledError', detail: '' } as const;
const phases: readonly Phase[] = [
  { kind: 'queued' },
  { kind: 'sending' },
  { kind: 'accepted', report: undefined },
  {
    kind: 'accepted',
    report: { status: 'DONE', meaning: 'succeeded', progress: 1, message: undefined, from: {} },
  },
  { kind: 'notSent', failure },
  { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } },
  { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 },
];

/** A store as an earlier version left it, with a row in every phase for each of these datasets. */
async function oldStore(store: TemporaryStore, datasets: readonly string[]): Promise<void> {
  const file = new SqliteFile(store.path, OLD, () => {});
  const here = thisWindow();
  await file.write((db) => {
    const alive = db.prepare('INSERT INTO windows VALUES (?, ?, ?, ?)');
    alive.run(here.id, here.machine, here.pid, 2 ** 52);
    const add = db.prepare(`INSERT INTO tasks (dataset, source, batch, created_ms, task_id, task_id_from, import_answer,
      phase, attempts, last_answer, checked_ms, trouble, owner, revision) VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, 2, ?, ?, 1)`);
    for (const dataset of datasets) {
      for (const phase of phases) {
        const isOpen = phase.kind === 'queued' || phase.kind === 'sending';
        const texts = [sourceOf('a.txt'), { id: 'B', label: 'b' }].map((part) => JSON.stringify(part));
        const id = ['"T1"', '{"pointer":"/id","how":"mapped"}', '{"code":"0"}'];
        const responses = [JSON.stringify(phase), '[]', '{"code":"0"}', JSON.stringify({ kind: 'failed', failure })];
        add.run(JSON.stringify(dataset), ...texts, ...id, ...responses, isOpen ? here.id : null);
      }
    }
    db.prepare('UPDATE revisions SET latest = 1').run();
  });
  await file.close();
}

/** The tasks as a window reads them whose datasets have these origins. */
async function read(store: TemporaryStore, origins: Readonly<Record<string, string>>): Promise<TaskList> {
  const list = listOf(store, origins);
  await list.loaded();
  return list;
}

function listOf(store: TemporaryStore, origins: Readonly<Record<string, string>>): TaskList {
  return new TaskList(
    new TaskStore(
      store.file(),
      clockOf(() => 0),
    ),
    (name) => origins[name],
  );
}

const originsOf = (list: TaskList) => list.held.map(({ dataset, origin }) => `${dataset} ${origin}`);
const everyRow = (words: string) => phases.map(() => words);

describe('A store with answers of a megabyte, as an earlier version kept them', () => {
  it('is read without them, so that thousands of them do not fill the memory', async () => {
    await using store = await TemporaryStore.make();
    const file = new SqliteFile(store.path, OLD, () => {});
    await file.write((db) => {
      const add =
        db.prepare(`INSERT INTO tasks (dataset, created_ms, import_answer, phase, attempts, last_answer, revision)
        VALUES ('"A"', 1, ?, '{"kind":"accepted"}', '[]', ?, 1)`);
      const long = `{"code":"0","data":{"words":"${'é'.repeat(450_000)}"}}`;
      for (let count = 0; count < 200; count++) add.run(long, long);
      add.run('{"code":"0"}', null);
      db.prepare('UPDATE revisions SET latest = 1').run();
    });
    await file.close();
    const told = '{"…":"Parts of this response are left out: it has 900032 bytes."}';
    const before = process.memoryUsage().heapUsed;
    const list = await read(store, { A: OLD_ORIGIN });
    assert.ok(process.memoryUsage().heapUsed - before < 50e6);
    assert.deepEqual(
      [
        ...new Set(
          (await list.history.withResponses(list.held)).map(
            ({ responses: { importResponse, lastResponse } }) => `${importResponse} ${lastResponse}`,
          ),
        ),
      ].toSorted(),
      ['{"code":"0"} undefined', `${told} ${told}`],
    );
  });
});

describe('A store of the layout without origins', () => {
  it('keeps every kind of row, each bound to the origin that its dataset has when a window first reads it', async () => {
    await using store = await TemporaryStore.make();
    await oldStore(store, ['Books']);
    const list = await read(store, { Books: OLD_ORIGIN });
    assert.deepEqual(originsOf(list), everyRow(`Books ${OLD_ORIGIN}`));
    assert.deepEqual(
      list.held.map(({ phase }) => phase.kind).reverse(),
      phases.map(({ kind }) => kind),
    );
    const [task] = list.held;
    assert.deepEqual([task?.taskId, task?.source?.name, task?.batch?.label], ['"T1"', 'a.txt', 'b']);
    assert.deepEqual(
      [(await list.history.responses(task?.key ?? 0)).importResponse, task?.lastQueryError?.kind, task?.checkedMs],
      ['{"code":"0"}', 'failed', 2],
    );
  });

  it('is bound once: what its datasets become later changes nothing', async () => {
    await using store = await TemporaryStore.make();
    await oldStore(store, ['Books']);
    await read(store, { Books: OLD_ORIGIN });
    assert.deepEqual(originsOf(await read(store, { Books: NEW_ORIGIN })), everyRow(`Books ${OLD_ORIGIN}`));
  });

  it('leaves rows of a dataset that is not there until it is', async () => {
    await using store = await TemporaryStore.make();
    await oldStore(store, ['Books']);
    const origins: Record<string, string> = {};
    const list = await read(store, origins);
    assert.deepEqual(originsOf(list), everyRow('Books undefined'));
    origins['Books'] = OLD_ORIGIN;
    await list.sync();
    assert.deepEqual(originsOf(list), everyRow(`Books ${OLD_ORIGIN}`));
  });

  it('gives its sandbox rows an origin that no sandbox has, whatever sandbox runs now', async () => {
    await using store = await TemporaryStore.make();
    await oldStore(store, ['Sandbox']);
    const list = await read(store, { Sandbox: 'http://127.0.0.1:4000' });
    assert.deepEqual(originsOf(list), everyRow('Sandbox http://127.0.0.1:0'));
  });

  it('shows other windows what one has bound', async () => {
    await using store = await TemporaryStore.make();
    await oldStore(store, ['Books']);
    const there = await read(store, {});
    await read(store, { Books: OLD_ORIGIN });
    await there.sync();
    assert.deepEqual(originsOf(there), everyRow(`Books ${OLD_ORIGIN}`));
  });
});

describe('A store with the names that earlier versions gave to errors', () => {
  it('is read with the names of today, and with what a service said as it said it', async () => {
    await using store = await TemporaryStore.make();
    const file = new SqliteFile(store.path, TASK_MIGRATIONS.slice(0, 3), () => {});
    const quoted = JSON.stringify('{"name":"CancelledError"}');
    const ends = [
      '{"name":"CancelledError","detail":""}',
      `{"name":"HeldBack","detail":"","cause":{"kind":"notSent","failure":{"name":"CancelledError","detail":""}}}`,
      `{"name":"BadAnswerError","reason":"notJson","status":200,"excerpt":${quoted},"detail":""}`,
    ];
    await file.write((db) => {
      const add = db.prepare(`INSERT INTO tasks (dataset, created_ms, task_id_from, phase, attempts, trouble, revision)
        VALUES ('"A"', 1, '{"pointer":"/id","how":"recognized"}', ?, '[]', ?, 1)`);
      for (const end of ends) add.run(`{"kind":"notSent","failure":${end}}`, `{"kind":"failed","failure":${end}}`);
      db.prepare('UPDATE revisions SET latest = 1').run();
    });
    await file.close();
    const list = await read(store, { A: OLD_ORIGIN });
    const canceled = { name: 'CanceledError', detail: '' };
    const today = [
      canceled,
      { name: 'CircuitOpen', detail: '', cause: { kind: 'notSent', failure: canceled } },
      { name: 'BadResponseError', reason: 'notJson', status: 200, excerpt: '{"name":"CancelledError"}', detail: '' },
    ];
    assert.deepEqual(
      list.held.map(({ phase, lastQueryError }) => [phase, lastQueryError]).reverse(),
      today.map((failure) => [
        { kind: 'notSent', failure },
        { kind: 'failed', failure },
      ]),
    );
    assert.ok(list.held.every(({ taskIdFrom }) => taskIdFrom?.how === 'recognized'));
  });
});
