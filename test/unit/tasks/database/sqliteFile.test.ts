import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { SqliteFile } from '../../../../src/tasks/database/sqliteFile';
import { OtherProcess } from '../otherProcess';
import { SLOW_SCHEMA } from '../playPart';
import { TemporaryStore } from '../temporaryStore';

const SCHEMA = 'CREATE TABLE notes (words TEXT) STRICT';

function note(file: SqliteFile, words: string): Promise<unknown> {
  return file.write((db) => db.prepare('INSERT INTO notes VALUES (?)').run(words));
}

function notes(file: SqliteFile): Promise<unknown[]> {
  return file.read((db) =>
    db
      .prepare('SELECT words FROM notes ORDER BY rowid')
      .all()
      .map((row) => row['words']),
  );
}

/** Fills the file with some pages of notes and closes it. */
async function makePages(store: TemporaryStore): Promise<void> {
  const file = store.file(SCHEMA);
  await file.write((db) => {
    const insert = db.prepare('INSERT INTO notes VALUES (?)');
    for (let index = 0; index < 200; index++) insert.run(`${index} `.repeat(200));
  });
  await file.close();
}

describe('SqliteFile', () => {
  it('comes into being, its folder too, at first use', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    assert.equal(existsSync(path.dirname(store.path)), false);
    assert.deepEqual(await notes(file), []);
    assert.equal(existsSync(store.path), true);
  });

  const withModes = process.platform === 'win32' ? it.skip : it;
  withModes(
    'can be read by its owner only, its folder and its journal too, also where it could be before',
    async () => {
      await using store = await TemporaryStore.make();
      const folder = path.dirname(store.path);
      const modes = (...paths: string[]) => paths.map((each) => (statSync(each).mode & 0o777).toString(8));
      const before = process.umask(0);
      try {
        const file = store.file(SCHEMA);
        await note(file, 'first');
        assert.deepEqual(modes(folder, store.path), ['700', '600']);
        file.close();
        chmodSync(folder, 0o755);
        chmodSync(store.path, 0o644);
        const underWay = await file.write((db) => {
          db.exec("INSERT INTO notes VALUES ('second')");
          return modes(folder, store.path, `${store.path}-journal`);
        });
        assert.deepEqual(underWay, ['700', '600', '600']);
        assert.deepEqual(await notes(file), ['first', 'second']);
      } finally {
        process.umask(before);
      }
    },
  );

  it('loads node:sqlite at first use, not before', async () => {
    await using store = await TemporaryStore.make();
    const program = [path.join(__dirname, 'reportSqliteLoaded.js'), store.path];
    const { stdout } = await promisify(execFile)(process.execPath, program);
    assert.deepEqual(JSON.parse(stdout), { before: false, after: true });
  });

  it('commits durably: the journal is kept and synced, on macOS down to the disk itself', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    const pragma = (name: string) => file.read((db) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    const full = 2;
    assert.deepEqual(
      [await pragma('journal_mode'), await pragma('synchronous'), await pragma('fullfsync')],
      ['persist', full, 1],
    );
  });

  it('keeps a commit if power is lost before the disk has written what happened to the journal in its folder', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    await note(file, 'queued');
    await file.write((db) => {
      db.exec("UPDATE notes SET words = 'sending'");
      // A second name for the journal: it keeps the bytes that were synced, even if SQLite deletes the first name.
      linkSync(`${store.path}-journal`, `${store.path}-kept`);
    });
    await file.close();
    await using restored = await TemporaryStore.make();
    mkdirSync(path.dirname(restored.path), { recursive: true });
    copyFileSync(store.path, restored.path);
    copyFileSync(`${store.path}-kept`, `${restored.path}-journal`);
    assert.deepEqual(await notes(restored.file(SCHEMA)), ['sending']);
  });

  it('lets SQLite block the event loop for less than 100 ms', async () => {
    await using store = await TemporaryStore.make();
    const timeout = await store.file(SCHEMA).read((db) => db.prepare('PRAGMA busy_timeout').get()?.['timeout']);
    assert.ok(Number(timeout) < 100, `${timeout} ms`);
  });
});

describe('Writes of a SqliteFile that are asked for at the same time', () => {
  it('are brought to disk together', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    await note(file, 'first');
    // SQLite's count of the transactions that changed the file.
    const transactions = () => readFileSync(store.path).readUInt32BE(24);
    const before = transactions();
    await Promise.all(['second', 'third', 'fourth'].map((words) => note(file, words)));
    assert.equal(transactions() - before, 1);
    assert.deepEqual(await notes(file), ['first', 'second', 'third', 'fourth']);
  });

  it('are a few commits however many they are, in the order in which they were asked for', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    await notes(file);
    const transactions = () => readFileSync(store.path).readUInt32BE(24);
    const before = transactions();
    const wanted = Array.from({ length: 1000 }, (_, index) => `${index}`);
    await Promise.all(wanted.map((words) => note(file, words)));
    assert.equal(transactions() - before, 5);
    assert.deepEqual(await notes(file), wanted);
  });

  it('are not seen by a read that was asked for before them, and seen by one after them', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    const first = note(file, 'first');
    const between = notes(file);
    const second = note(file, 'second');
    const after = notes(file);
    await Promise.all([first, second]);
    assert.deepEqual([await between, await after], [['first'], ['first', 'second']]);
  });

  it('all hear of it where the file cannot be opened, and so do those that are asked for afterwards', async () => {
    await using store = await TemporaryStore.make();
    const folder = path.dirname(store.path);
    writeFileSync(folder, 'a file');
    const file = store.file(SCHEMA);
    for (let round = 0; round < 2; round++) {
      const written = await Promise.allSettled([note(file, 'one'), note(file, 'two')]);
      assert.deepEqual(
        written.map(({ status }) => status),
        ['rejected', 'rejected'],
      );
    }
    rmSync(folder);
    await note(file, 'three');
    assert.deepEqual(await notes(file), ['three']);
  });

  it('do not fail with one of them', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    const broken = file.write((db) => {
      db.exec("INSERT INTO notes VALUES ('of the broken one')");
      throw new Error('a change that fails');
    });
    const written = await Promise.allSettled([note(file, 'before'), broken, note(file, 'after')]);
    assert.deepEqual(
      written.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await notes(file), ['before', 'after']);
  });
});

describe('The tables of a SqliteFile', () => {
  const schema = 'CREATE TABLE made (version INTEGER) STRICT; INSERT INTO made VALUES (1)';
  const made = (file: SqliteFile) =>
    file.read((db) =>
      db
        .prepare('SELECT version FROM made ORDER BY rowid')
        .all()
        .map((row) => row['version']),
    );
  const ofAnotherVersion = 'CREATE TABLE notes (words TEXT, tone TEXT) STRICT';

  it('are made once', async () => {
    await using store = await TemporaryStore.make();
    assert.deepEqual(await made(store.file(schema)), [1]);
    assert.deepEqual(await made(store.file(schema)), [1]);
  });

  it('of which one cannot be made are not there at all', async () => {
    await using store = await TemporaryStore.make();
    await assert.rejects(made(store.file(`${schema}; INSERT INTO nowhere VALUES (4)`)), { reason: 'unusable' });
    assert.deepEqual(await made(store.file(schema)), [1]);
    assert.deepEqual(store.asides, []);
  });

  it('are made once where two processes open a new file at the same moment', async () => {
    await using store = await TemporaryStore.make();
    mkdirSync(path.dirname(store.path));
    await using one = await OtherProcess.start('openAndWrite', store.path, 'one');
    await using two = await OtherProcess.start('openAndWrite', store.path, 'two');
    await Promise.all([one.go(), two.go()]);
    const file = store.file(SLOW_SCHEMA);
    assert.deepEqual(await made(file), [1]);
    assert.deepEqual((await notes(file)).sort(), ['one', 'two']);
  });

  it('of another version of the extension are set aside byte for byte, and work goes on', async () => {
    await using store = await TemporaryStore.make();
    const other = store.file(ofAnotherVersion);
    await other.write((db) => db.exec("INSERT INTO notes VALUES ('a', 'low')"));
    await other.close();
    const before = readFileSync(store.path);
    await note(store.file(SCHEMA), 'after');
    assert.deepEqual(await notes(store.file(SCHEMA)), ['after']);
    assert.equal(store.asides.length, 1);
    assert.match(store.asides[0] ?? '', /tasks\.sqlite\.other-version-/);
    assert.deepEqual(readFileSync(store.asides[0] ?? ''), before);
  });

  it('stay where another version of the extension has begun anew in another window', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    await note(file, 'before');
    const other = store.file(ofAnotherVersion);
    await other.write((db) => db.exec("INSERT INTO notes VALUES ('a', 'low')"));
    await assert.rejects(note(file, 'after'), { reason: 'otherSchema' });
    await assert.rejects(notes(file), { reason: 'otherSchema' });
    assert.equal(store.asides.length, 1);
    const words = (db: DatabaseSync) => db.prepare('SELECT words FROM notes').get()?.['words'];
    assert.equal(await other.read(words), 'a');
  });
});

describe('A SqliteFile that another process holds', () => {
  async function heldStore(): Promise<TemporaryStore> {
    const store = await TemporaryStore.make();
    await note(store.file(SCHEMA), 'before');
    return store;
  }

  it('is waited for, however long that takes', async () => {
    await using store = await heldStore();
    await using other = await OtherProcess.start('holdLock', store.path);
    const file = store.file(SCHEMA, 1);
    const done = Promise.all([note(file, 'after'), notes(file)]);
    for (let attempts = 0; attempts < 3; attempts++)
      await assert.rejects(
        file.tryWrite(() => {}),
        { reason: 'locked' },
      );
    await other.go();
    await done;
    assert.deepEqual(await notes(file), ['before', 'after']);
  });

  it('is reported as locked by what does not wait for it, and works again afterwards', async () => {
    await using store = await heldStore();
    await using other = await OtherProcess.start('holdLock', store.path);
    const file = store.file(SCHEMA, 100);
    const lost = file.tryWrite((db) => db.exec("INSERT INTO notes VALUES ('lost')"));
    await assert.rejects(lost, { name: 'StoreError', reason: 'locked' });
    await assert.rejects(
      file.tryRead(() => {}),
      { name: 'StoreError', reason: 'locked' },
    );
    await other.go();
    assert.deepEqual(await notes(file), ['before']);
    assert.deepEqual(store.asides, []);
  });
});

describe('A damaged SqliteFile', () => {
  const damages: Record<string, (file: string) => void> = {
    'is garbage': (file) => writeFileSync(file, 'not a database at all, and longer than its head. '.repeat(50)),
    'is cut off': (file) => truncateSync(file, 20_000),
    'is cut off in its head': (file) => truncateSync(file, 40),
    'has a broken page in the middle': (file) => {
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0xff, 5 * 4096, 6 * 4096));
    },
  };
  for (const [how, damage] of Object.entries(damages)) {
    for (const when of ['before it was opened', 'while it is open'] as const) {
      it(`that ${how}, damaged ${when}, is set aside byte for byte, told once, and work goes on`, async () => {
        await using store = await TemporaryStore.make();
        await makePages(store);
        const file = store.file(SCHEMA);
        if (when === 'while it is open') await file.read((db) => db.prepare('PRAGMA user_version').get());
        damage(store.path);
        const damaged = readFileSync(store.path);
        assert.deepEqual(await notes(file), []);
        await note(file, 'after');
        assert.deepEqual(await notes(store.file(SCHEMA)), ['after']);
        assert.equal(store.asides.length, 1);
        assert.match(store.asides[0] ?? '', /tasks\.sqlite\.damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/);
        assert.deepEqual(readFileSync(store.asides[0] ?? ''), damaged);
      });
    }
  }

  it('takes its journal with it', async () => {
    await using store = await TemporaryStore.make();
    await makePages(store);
    damages['is garbage']?.(store.path);
    const journal = Buffer.alloc(600, 'of the old file');
    journal[0] = 0;
    writeFileSync(`${store.path}-journal`, journal);
    assert.deepEqual(await notes(store.file(SCHEMA)), []);
    assert.deepEqual(readFileSync(`${store.asides[0]}-journal`), journal);
    assert.notDeepEqual(readFileSync(`${store.path}-journal`), journal);
  });

  it('is given up by a process that has it open and did not meet the damage', async () => {
    await using store = await TemporaryStore.make();
    await using other = await OtherProcess.start('openWriteLater', store.path, 'from the other');
    damages['is garbage']?.(store.path);
    const file = store.file(SLOW_SCHEMA);
    await note(file, 'from here');
    await other.go();
    assert.deepEqual(await notes(file), ['from here', 'from the other']);
    assert.equal(store.asides.length, 1);
  });

  it('that another window has just replaced is not set aside a second time', async () => {
    await using store = await TemporaryStore.make();
    await makePages(store);
    const file = store.file(SCHEMA);
    const version = await file.read((db) => db.prepare('PRAGMA user_version').get()?.['user_version']);
    damages['has a broken page in the middle']?.(store.path);
    let replaced = false;
    const found = await file.read((db) => {
      if (!replaced) {
        replaced = true;
        renameSync(store.path, `${store.path}.elsewhere`);
        const other = new DatabaseSync(store.path);
        other.exec(`${SCHEMA}; INSERT INTO notes VALUES ('of the other'); PRAGMA user_version = ${version}`);
        other.close();
      }
      return db
        .prepare('SELECT words FROM notes')
        .all()
        .map((row) => row['words']);
    });
    assert.deepEqual(found, ['of the other']);
    assert.deepEqual(store.asides, []);
  });
});

describe('A SqliteFile without a place', () => {
  it('where a folder has its name is unusable', async () => {
    await using store = await TemporaryStore.make();
    mkdirSync(store.path, { recursive: true });
    await assert.rejects(note(store.file(SCHEMA), ''), { name: 'StoreError', reason: 'unusable' });
  });

  it('that was deleted while it was open is made anew', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    await note(file, 'gone');
    rmSync(path.dirname(store.path), { recursive: true });
    await note(file, 'here');
    assert.deepEqual(await notes(store.file(SCHEMA)), ['here']);
  });

  it('that can grow no more is full, and keeps what it had and nothing of the rest', async () => {
    await using store = await TemporaryStore.make();
    const file = store.file(SCHEMA);
    await note(file, 'before');
    // SQLite answers a full disk and this with the same code.
    await file.read((db) => db.exec('PRAGMA max_page_count = 3'));
    const filling = file.write((db) => {
      for (let index = 0; index < 100; index++) db.prepare('INSERT INTO notes VALUES (?)').run('x'.repeat(1000));
    });
    await assert.rejects(filling, { name: 'StoreError', reason: 'full' });
    assert.deepEqual(await notes(store.file(SCHEMA)), ['before']);
    // It is opened anew, and may grow again.
    await note(file, 'x'.repeat(9000));
    assert.equal((await notes(file)).length, 2);
  });
});
