import { IS_PROBLEM } from '../rows/listedFacts';

/**
 * The tables of the store. Each store has a random id, as one that cannot be read is set aside and another begun. Its keys
 * and revisions begin at the time of its creation, so that none of an earlier store is used again.
 */
export const TASK_SCHEMA = `
  CREATE TABLE tasks (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    revision INTEGER NOT NULL,
    dataset TEXT NOT NULL,
    origin TEXT,
    source TEXT,
    batch TEXT,
    created_ms INTEGER NOT NULL,
    earlier TEXT,
    task_id TEXT,
    task_id_from TEXT,
    has_import_response INTEGER NOT NULL,
    phase TEXT NOT NULL,
    attempts TEXT NOT NULL,
    has_last_response INTEGER NOT NULL,
    checked_ms INTEGER,
    last_query_error TEXT,
    begun_in TEXT,
    state TEXT NOT NULL,
    rank INTEGER NOT NULL,
    unfinished INTEGER NOT NULL,
    several INTEGER NOT NULL,
    problem INTEGER NOT NULL,
    reason TEXT,
    uploaded_ms INTEGER,
    ended_ms INTEGER,
    batch_id TEXT,
    name TEXT,
    path TEXT,
    size_bytes INTEGER
  ) STRICT;
  INSERT INTO sqlite_sequence VALUES ('tasks', CAST(1000 * unixepoch('subsec') AS INTEGER));
  CREATE INDEX tasks_by_revision ON tasks (revision);
  CREATE INDEX tasks_sending ON tasks (dataset, origin) WHERE state = 'sending';
  CREATE INDEX tasks_unfinished ON tasks (batch_id) WHERE unfinished = 1;
  CREATE INDEX tasks_by_time ON tasks (created_ms, key);
  CREATE INDEX tasks_single ON tasks (created_ms, key) WHERE batch_id IS NULL;
  CREATE INDEX tasks_by_batch ON tasks (batch_id, key) WHERE batch_id IS NOT NULL;
  CREATE INDEX tasks_by_batch_and_time ON tasks (batch_id, created_ms, key) WHERE batch_id IS NOT NULL;
  CREATE INDEX problems ON tasks (rank, created_ms, key) WHERE ${IS_PROBLEM};
  CREATE INDEX problems_by_batch ON tasks (batch_id, rank, key) WHERE ${IS_PROBLEM};
  CREATE INDEX problems_by_reason ON tasks (reason, created_ms, key) WHERE reason IS NOT NULL;
  CREATE INDEX tasks_by_path ON tasks (path) WHERE path IS NOT NULL;
  CREATE INDEX tasks_by_id ON tasks (task_id) WHERE task_id IS NOT NULL;
  CREATE INDEX tasks_several ON tasks (several) WHERE several = 1;
  CREATE INDEX tasks_ended ON tasks (ended_ms, key) WHERE state IN ('succeeded', 'failed', 'rejected', 'notSent');
  CREATE TABLE counts (
    batch_id TEXT NOT NULL,
    dataset TEXT NOT NULL,
    origin TEXT NOT NULL,
    state TEXT NOT NULL,
    problem INTEGER NOT NULL,
    count INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    PRIMARY KEY (batch_id, dataset, origin, state, problem)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE responses (key INTEGER PRIMARY KEY, import_response TEXT, last_response TEXT) STRICT;
  CREATE TABLE timeline (
    key INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (key, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE runs (
    batch_id TEXT NOT NULL,
    began_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (batch_id, began_ms, state)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE skipped (
    batch_id TEXT NOT NULL,
    began_ms INTEGER NOT NULL,
    reason TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (batch_id, began_ms, reason)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE accepted (
    key INTEGER PRIMARY KEY,
    dataset TEXT NOT NULL,
    origin TEXT,
    created_ms INTEGER NOT NULL,
    task_id TEXT,
    task_count INTEGER NOT NULL,
    state TEXT NOT NULL,
    from_where TEXT NOT NULL,
    path TEXT NOT NULL,
    relative_path TEXT NOT NULL,
    name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    modified_ms REAL,
    sha256 TEXT
  ) STRICT;
  CREATE INDEX accepted_of_known_content ON accepted (size_bytes) WHERE sha256 IS NOT NULL;
  CREATE INDEX accepted_by_path ON accepted (path);
  CREATE TABLE removals (revision INTEGER NOT NULL, key INTEGER NOT NULL, PRIMARY KEY (revision, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE revisions (
    latest INTEGER NOT NULL,
    store TEXT NOT NULL,
    forgotten INTEGER NOT NULL
  ) STRICT;
  INSERT INTO revisions VALUES (CAST(1000 * unixepoch('subsec') AS INTEGER), hex(randomblob(16)), 0);
  CREATE TABLE notices (key INTEGER UNIQUE, batch_id TEXT UNIQUE, machine TEXT, pid INTEGER) STRICT;
  CREATE TABLE windows (
    id TEXT PRIMARY KEY,
    machine TEXT NOT NULL,
    pid INTEGER NOT NULL,
    beat INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE leases (
    destination TEXT PRIMARY KEY,
    window TEXT NOT NULL,
    pause TEXT,
    able INTEGER NOT NULL DEFAULT 1,
    tries INTEGER NOT NULL DEFAULT 0
  ) STRICT;`;
