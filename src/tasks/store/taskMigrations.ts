import type { Migration } from '../database/sqliteConnection';
import { NOTICES_TABLES } from './notices';
import { splitTasks } from './splitTasks';

/**
 * The tables of the store, one script a version. Each store has a random id, as a damaged one is set aside and another
 * begun. Its keys begin at the time of its creation, so that no key of an earlier store is used again.
 */
export const TASK_MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE tasks (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    dataset TEXT NOT NULL,
    source TEXT,
    batch TEXT,
    created_ms INTEGER NOT NULL,
    task_id TEXT,
    task_id_from TEXT,
    import_answer TEXT,
    phase TEXT NOT NULL,
    attempts TEXT NOT NULL,
    last_answer TEXT,
    checked_ms INTEGER,
    trouble TEXT,
    owner TEXT,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_revision ON tasks (revision);
  CREATE INDEX tasks_by_owner ON tasks (owner) WHERE owner IS NOT NULL;
  INSERT INTO sqlite_sequence VALUES ('tasks', CAST(1000 * unixepoch('subsec') AS INTEGER));
  CREATE TABLE windows (
    id TEXT PRIMARY KEY,
    machine TEXT NOT NULL,
    pid INTEGER NOT NULL,
    alive_until_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE revisions (latest INTEGER NOT NULL, store TEXT NOT NULL) STRICT;
  INSERT INTO revisions VALUES (0, hex(randomblob(16)));`,
  // Tasks of sandboxes that no longer run get an origin that no sandbox has.
  `ALTER TABLE tasks ADD COLUMN origin TEXT;
  UPDATE tasks SET origin = 'http://127.0.0.1:0' WHERE dataset = '"Sandbox"';
  CREATE INDEX tasks_unbound ON tasks (dataset) WHERE origin IS NULL;`,
  `ALTER TABLE windows RENAME COLUMN alive_until_ms TO beat;
  CREATE TABLE cancel_requests (key INTEGER PRIMARY KEY) STRICT;`,
  [
    ['"name":"BadAnswerError"', '"name":"BadResponseError"'],
    ['"name":"CancelledError"', '"name":"CanceledError"'],
    ['"name":"HeldBack"', '"name":"CircuitOpen"'],
    ['"how":"recognised"', '"how":"recognized"'],
  ]
    .flatMap(([before, now]) =>
      ['task_id_from', 'phase', 'attempts', 'trouble'].map(
        (column) =>
          `UPDATE tasks SET ${column} = replace(${column}, '${before}', '${now}') WHERE instr(${column}, '${before}');`,
      ),
    )
    .join('\n'),
  `ALTER TABLE tasks RENAME COLUMN import_answer TO import_response;
  ALTER TABLE tasks RENAME COLUMN last_answer TO last_response;
  ALTER TABLE tasks RENAME COLUMN trouble TO last_query_error;`,
  // Read and written by following/followLeases.ts.
  `CREATE TABLE followers (
    id TEXT PRIMARY KEY,
    machine TEXT NOT NULL,
    pid INTEGER NOT NULL,
    beat INTEGER NOT NULL,
    looked TEXT
  ) STRICT;
  CREATE TABLE follow_leases (destination TEXT PRIMARY KEY, follower TEXT NOT NULL) STRICT;`,
  splitTasks,
  NOTICES_TABLES,
];
