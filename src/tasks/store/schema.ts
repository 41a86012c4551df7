/** Identifies the file as ours. `user_version` isn't enough, because other programs use it, too. */
export const APPLICATION_ID = 0x44_49_73_31;

const TABLES = `
CREATE TABLE destinations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, dataset TEXT NOT NULL, origin TEXT NOT NULL,
  window TEXT, pause TEXT, brake INTEGER NOT NULL DEFAULT 0,
  UNIQUE (dataset, origin)
) STRICT;

CREATE TABLE windows (
  id TEXT PRIMARY KEY, machine TEXT NOT NULL, pid INTEGER NOT NULL, beat INTEGER NOT NULL, schema INTEGER NOT NULL
) STRICT;

CREATE TABLE batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT, destination INTEGER NOT NULL, label TEXT NOT NULL, folder TEXT, announced_ms INTEGER,
  UNIQUE (destination, folder)
) STRICT;

CREATE INDEX batches_to_announce ON batches (destination) WHERE announced_ms IS NULL;

CREATE TABLE runs (
  id TEXT PRIMARY KEY, batch INTEGER, window TEXT NOT NULL, began_ms INTEGER NOT NULL, skipped TEXT NOT NULL,
  announced_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_of_batch ON runs (batch);
CREATE INDEX runs_to_announce ON runs (began_ms) WHERE announced_ms IS NULL;

CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT, destination INTEGER NOT NULL, batch INTEGER, path TEXT, name TEXT NOT NULL,
  relative_path TEXT NOT NULL, text_file TEXT,
  import INTEGER NOT NULL, state TEXT NOT NULL, rank INTEGER NOT NULL, reason TEXT, unfinished INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL, version INTEGER NOT NULL, removed_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX files_by_path ON files (destination, path) WHERE path IS NOT NULL;
-- The columns after the id let SQLite count without reading the rows.
CREATE INDEX files_of_batch ON files (batch, rank, id, removed_ms) WHERE removed_ms IS NULL;
CREATE INDEX files_listed ON files (rank, id, removed_ms, destination) WHERE removed_ms IS NULL;
CREATE INDEX files_by_reason ON files (reason, rank, removed_ms) WHERE reason IS NOT NULL AND removed_ms IS NULL;
CREATE INDEX files_unfinished ON files (destination, batch) WHERE unfinished = 1;
CREATE INDEX files_by_version ON files (version);

CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT, destination INTEGER NOT NULL, file INTEGER, run TEXT, path TEXT,
  size INTEGER NOT NULL, modified_ms REAL, sha256 TEXT,
  queued_ms INTEGER NOT NULL, single INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0, attempt TEXT,
  cancel INTEGER NOT NULL DEFAULT 0,
  outcome TEXT NOT NULL, cause TEXT, began_ms INTEGER, ended_ms INTEGER, sent_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX imports_queued ON imports (destination, single DESC, tries, id) WHERE outcome = 'queued';
CREATE INDEX imports_sending ON imports (destination) WHERE outcome = 'sending';
CREATE UNIQUE INDEX imports_of_run ON imports (run, file);
CREATE UNIQUE INDEX imports_by_attempt ON imports (attempt) WHERE attempt IS NOT NULL;
CREATE INDEX imports_by_path ON imports (destination, path);
CREATE INDEX imports_by_content ON imports (destination, size, sha256) WHERE sha256 IS NOT NULL;

CREATE TABLE tasks (
  import INTEGER NOT NULL, id TEXT NOT NULL, status TEXT, meaning TEXT, progress REAL, message TEXT, cause TEXT,
  checked_ms INTEGER, ended_ms INTEGER, by_mapping INTEGER NOT NULL DEFAULT 0, revision INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (import, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tasks_by_id ON tasks (id);

CREATE TABLE responses (import INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX responses_of_import ON responses (import, kind);

CREATE TABLE events (
  file INTEGER NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, event TEXT NOT NULL, PRIMARY KEY (file, seq)
) STRICT, WITHOUT ROWID;
`;

/**
 * The script at index n migrates a file from version n to n + 1. Never change a released script. Add another one
 * instead.
 */
export const MIGRATIONS: readonly string[] = [TABLES];
