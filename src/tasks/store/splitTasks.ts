import type { DatabaseSync } from 'node:sqlite';
import { listedFacts } from '../rows/listedFacts';
import { keptResponseColumn } from '../rows/responses';
import { readRow, type TaskRow } from '../rows/taskRow';

/** Rows moved before other work of this process runs: about 10 ms where they are small. */
const STEP_ROWS = 200;

/**
 * The migration to small rows: what lists need in columns of its own, responses and timelines in tables of their own, and
 * removals in a log.
 */
export function* splitTasks(db: DatabaseSync): Generator<undefined, void> {
  db.exec(TABLES);
  const read = db.prepare(`SELECT key, ${PARTS} FROM tasks_before ORDER BY key LIMIT ${STEP_ROWS}`);
  const copy = db.prepare(COPY);
  for (let rows = read.all(); rows.length > 0; rows = read.all()) {
    for (const row of rows) {
      const { key: _, ...task } = readRow({ ...row, has_import_response: null, has_last_response: null } as TaskRow);
      const facts = listedFacts(task);
      copy.run(...LISTED.map((name) => facts[name]), Number(row['key']));
    }
    const last = Number(rows.at(-1)?.['key']);
    for (const move of MOVE_TO) db.prepare(move).run(last);
    yield;
  }
  db.exec('DROP TABLE tasks_before');
}

const PARTS = [
  ...['dataset', 'origin', 'source', 'batch', 'created_ms', 'task_id', 'task_id_from', 'phase', 'attempts'],
  ...['checked_ms', 'last_query_error', 'owner'],
];

const LISTED = [
  ...['state', 'rank', 'unfinished', 'several', 'ended_ms'],
  ...['batch_id', 'name', 'path', 'size_bytes', 'sha256'],
] as const;

const COPY = `INSERT INTO tasks (key, revision, ${PARTS}, has_import_response, has_last_response, ${LISTED})
  SELECT key, revision, ${PARTS}, import_response IS NOT NULL, last_response IS NOT NULL, ${LISTED.map(() => '?')}
  FROM tasks_before WHERE key = ?`;

const MOVE_TO = [
  `INSERT INTO responses SELECT key, ${['import_response', 'last_response'].map(keptResponseColumn)} FROM tasks_before
    WHERE key <= ? AND (import_response IS NOT NULL OR last_response IS NOT NULL)`,
  'DELETE FROM tasks_before WHERE key <= ?',
];

const TABLES = `DROP INDEX tasks_by_revision;
  DROP INDEX tasks_by_owner;
  DROP INDEX tasks_unbound;
  ALTER TABLE tasks RENAME TO tasks_before;
  CREATE TABLE tasks (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    revision INTEGER NOT NULL,
    dataset TEXT NOT NULL,
    origin TEXT,
    source TEXT,
    batch TEXT,
    created_ms INTEGER NOT NULL,
    task_id TEXT,
    task_id_from TEXT,
    has_import_response INTEGER NOT NULL,
    phase TEXT NOT NULL,
    attempts TEXT NOT NULL,
    has_last_response INTEGER NOT NULL,
    checked_ms INTEGER,
    last_query_error TEXT,
    owner TEXT,
    state TEXT NOT NULL,
    rank INTEGER NOT NULL,
    unfinished INTEGER NOT NULL,
    several INTEGER NOT NULL,
    ended_ms INTEGER,
    batch_id TEXT,
    name TEXT,
    path TEXT,
    size_bytes INTEGER,
    sha256 TEXT
  ) STRICT;
  INSERT INTO sqlite_sequence SELECT 'tasks', seq FROM sqlite_sequence WHERE name = 'tasks_before';
  CREATE INDEX tasks_by_revision ON tasks (revision);
  CREATE INDEX tasks_by_owner ON tasks (owner) WHERE owner IS NOT NULL;
  CREATE INDEX tasks_unbound ON tasks (dataset) WHERE origin IS NULL;
  CREATE INDEX tasks_unfinished ON tasks (batch_id) WHERE unfinished = 1;
  CREATE INDEX tasks_by_time ON tasks (created_ms DESC, key DESC);
  CREATE INDEX tasks_single ON tasks (created_ms DESC, key DESC) WHERE batch_id IS NULL;
  CREATE INDEX tasks_by_batch ON tasks (batch_id, rank, created_ms DESC, key DESC, state, dataset, origin, size_bytes)
    WHERE batch_id IS NOT NULL;
  CREATE INDEX tasks_of_batch ON tasks (batch_id, created_ms DESC, key DESC) WHERE batch_id IS NOT NULL;
  CREATE INDEX tasks_by_rank ON tasks (rank, created_ms DESC, key DESC, state, dataset, origin, batch_id);
  CREATE INDEX tasks_by_id ON tasks (task_id) WHERE task_id IS NOT NULL;
  CREATE INDEX tasks_several ON tasks (several) WHERE several = 1;
  CREATE INDEX tasks_of_known_content ON tasks (size_bytes) WHERE sha256 IS NOT NULL;
  CREATE INDEX tasks_of_unknown_content ON tasks (path) WHERE sha256 IS NULL;
  CREATE INDEX tasks_ended ON tasks (ended_ms, key) WHERE state IN ('succeeded', 'failed', 'rejected', 'notSent');
  CREATE TABLE responses (key INTEGER PRIMARY KEY, import_response TEXT, last_response TEXT) STRICT;
  CREATE TABLE timeline (
    key INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (key, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE removals (revision INTEGER NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (revision, key)) STRICT, WITHOUT ROWID;
  ALTER TABLE revisions ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE revisions ADD COLUMN cleared_ms INTEGER NOT NULL DEFAULT 0;`;
