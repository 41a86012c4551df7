import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { MAX_KEPT_BYTES } from '../../../../src/service/response/keptResponse';
import { SqliteFile } from '../../../../src/tasks/database/sqliteFile';
import { TASK_MIGRATIONS } from '../../../../src/tasks/store/taskMigrations';
import { type Attempt, type Failure, type Phase, type QueryError, taskState } from '../../../../src/tasks/trackedTask';
import { allTasks, sourceOf, TemporaryStore } from '../temporaryStore';

/** The layout in which a task's responses were in its row. */
const OLD = TASK_MIGRATIONS.slice(0, 5);

const failures: readonly Failure[] = [
  { name: 'ConnectError', reason: 'dns', host: 'a.example', detail: 'ENOTFOUND' },
  { name: 'ConnectionLostError', reason: 'stalled', host: 'a.example', detail: '' },
  { name: 'BadResponseError', reason: 'notJson', status: 502, excerpt: '<html>', detail: '' },
  { name: 'SourceError', reason: 'missing', fileName: 'a.txt', detail: 'ENOENT' },
  ...(['CanceledError', 'UnexpectedError', 'WindowClosed', 'StoreSetAside', 'TextGone', 'NoTarget'] as const).map(
    (name) => ({ name, detail: '' }),
  ),
  { name: 'CircuitOpen', detail: '', cause: { kind: 'notSent', failure: { name: 'NoTarget', detail: '' } } },
];
const refusals = [
  { by: 'envelope', status: 200, code: '7', message: null },
  { by: 'status', status: 413, excerpt: 'Too large' },
  { by: 'redirect', status: 307, target: 'https://elsewhere.example' },
] as const;
const report = {
  status: 'X',
  progress: 0.5,
  message: 'm',
  from: { status: { pointer: '/s', how: 'mapped' } },
} as const;
const parts = (['"a"', '"b"'] as const).map((taskId) => ({ taskId, report: { ...report, meaning: 'running' } }));

/** Every kind of phase that a row can hold. */
const phases = [
  { kind: 'queued' },
  { kind: 'sending' },
  ...failures.map((failure) => ({ kind: 'notSent', failure })),
  ...failures.map((failure) => ({ kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 })),
  ...refusals.map((refusal) => ({ kind: 'rejected', refusal })),
  { kind: 'rejected', refusal: refusals[0], badKey: true },
  { kind: 'accepted' },
  ...(['running', 'succeeded', 'failed', 'unknown', 'none'] as const).map((meaning) => ({
    kind: 'accepted',
    report: { ...report, meaning },
  })),
  { kind: 'accepted', report: { ...report, meaning: 'running' }, parts, leftOut: 3, lastPart: '"b"' },
] as unknown as readonly Phase[];

const lastQueryErrors: readonly QueryError[] = [
  ...refusals.map((refusal): QueryError => ({ kind: 'rejected', refusal })),
  ...failures.map((failure): QueryError => ({ kind: 'failed', failure })),
];

const attempt: Attempt = {
  ...{ beganMs: 3, endedMs: 4, sentBytes: 5, totalBytes: 6 },
  end: { kind: 'notSent', failure: { name: 'TextGone', detail: '' } },
};

const LONG = JSON.stringify({ code: '0', data: 'é'.repeat(MAX_KEPT_BYTES) });

interface OldRow {
  readonly phase: string;
  readonly source?: string | null;
  readonly taskId?: string | null;
  readonly importResponse?: string | null;
  readonly lastResponse?: string | null;
  readonly error?: string | null;
  readonly origin?: string | null;
}

/** The rows of a store as it was, one of each kind and several that make no sense. */
const rows: readonly OldRow[] = [
  ...phases.map((phase) => ({ phase: JSON.stringify(phase) })),
  ...lastQueryErrors.map((error) => ({ phase: '{"kind":"accepted"}', error: JSON.stringify(error) })),
  { phase: '{"kind":"accepted"}', taskId: null },
  { phase: '{"kind":"accepted"}', taskId: '9007199254740993123', origin: null },
  { phase: '{"kind":"accepted"}', source: null },
  { phase: '{"kind":"accepted"}', source: JSON.stringify(sourceOf('\ud800.txt')) },
  { phase: '{"kind":"accepted"}', importResponse: LONG, lastResponse: LONG },
  { phase: '{"kind":"accepted"}', importResponse: null, lastResponse: null },
  { phase: '{', importResponse: '{' },
  { phase: '{"kind":"elsewhere"}' },
  { phase: '{"kind":"accepted"}', source: '{"from":"disk"}' },
];

async function oldStore(store: TemporaryStore, copies = 1): Promise<void> {
  const file = new SqliteFile(store.path, OLD, () => {});
  await file.write((db) => {
    const add = db.prepare(`INSERT INTO tasks (dataset, origin, source, batch, created_ms, task_id, task_id_from,
      import_response, phase, attempts, last_response, checked_ms, last_query_error, owner, revision)
      VALUES ('"Books"', ?, ?, '{"id":"B","label":"b"}', 1, ?, '{"pointer":"/id","how":"mapped"}', ?, ?, ?, ?, 2, ?, NULL, 7)`);
    for (let copy = 0; copy < copies; copy++) {
      for (const row of rows) {
        const { origin = 'https://a.example', taskId = '"T1"', error = null, phase } = row;
        const { source = JSON.stringify(sourceOf('a.txt', { sha256: 'ab' })) } = row;
        const { importResponse = '{"code":"0","data":1}', lastResponse = '{"code":"0","data":2}' } = row;
        add.run(origin, source, taskId, importResponse, phase, JSON.stringify([attempt]), lastResponse, error);
      }
    }
    db.prepare('UPDATE revisions SET latest = 7').run();
  });
  await file.close();
}

/** The columns that the old layout has too, of every row. */
function plainColumns({ path }: TemporaryStore): unknown[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db
      .prepare(`SELECT key, revision, dataset, origin, source, batch, created_ms, task_id, task_id_from, phase, attempts,
        checked_ms, last_query_error, owner FROM tasks ORDER BY key`)
      .all();
  } finally {
    db.close();
  }
}

describe('A store with the responses in the rows of its tasks', () => {
  it('keeps every kind of row to the letter, under its key and in its revision', async () => {
    await using store = await TemporaryStore.make();
    await oldStore(store);
    const before = plainColumns(store);
    await store.file().read(() => {});
    assert.deepEqual(plainColumns(store), before);
    assert.equal(before.length, rows.length);
  });

  it('has the responses of each apart, longer ones replaced by a note', async () => {
    await using store = await TemporaryStore.make();
    await oldStore(store);
    const list = store.list();
    const tasks = (await allTasks(list)).toSorted((one, other) => one.key - other.key);
    const told = (text: string | null | undefined, usual: string) => {
      if (text === LONG) return `{"…":"Parts of this response are left out: it has ${Buffer.byteLength(LONG)} bytes."}`;
      return text === null ? undefined : (text ?? usual);
    };
    assert.deepEqual(
      (await list.history.withResponses(tasks)).map(({ responses }) => responses),
      rows.map(({ importResponse, lastResponse }) => ({
        importResponse: told(importResponse, '{"code":"0","data":1}'),
        lastResponse: told(lastResponse, '{"code":"0","data":2}'),
      })),
    );
    const readable = tasks.filter(({ phase }) => phase.kind !== 'unreadable');
    assert.equal(readable.length, rows.length - 3);
    for (const { key, hasImportResponse, hasLastResponse } of readable) {
      const { importResponse, lastResponse } = await store.responses(key);
      assert.deepEqual(
        [hasImportResponse, hasLastResponse],
        [importResponse !== undefined, lastResponse !== undefined],
      );
    }
  });

  it('lists each under its state, and holds what is unfinished', async () => {
    await using store = await TemporaryStore.make();
    await oldStore(store);
    const list = store.list();
    const tasks = await allTasks(list);
    const counted = new Map<string, number>();
    for (const { counts } of await list.history.groups('state'))
      for (const [state, count] of counts) counted.set(state, count);
    const expected = Map.groupBy(tasks, taskState);
    assert.deepEqual(counted, new Map([...counted].map(([state]) => [state, expected.get(state as never)?.length])));
    assert.equal(
      [...counted.values()].reduce((sum, count) => sum + count, 0),
      rows.length,
    );
  });

  it('is migrated in steps, between which timers go on, and gives no key again', async () => {
    await using store = await TemporaryStore.make();
    await oldStore(store, 30);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const list = store.list();
    const all = await allTasks(list);
    clearInterval(timer);
    assert.equal(all.length, 30 * rows.length);
    assert.ok(turns >= 5, `${turns} turns`);
    const highest = Math.max(...all.map(({ key }) => key));
    await list.remove([highest]);
    const { dataset, createdMs, phase } = all[0] ?? assert.fail();
    const [added] = await list.add([
      { ...(all[0] ?? assert.fail()), dataset, createdMs, phase, importResponse: undefined, lastResponse: undefined },
    ]);
    assert.ok((added?.key ?? 0) > highest);
  });
});
