import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID, MIGRATIONS } from '../../../../src/tasks/store/schema';
import { accepted, fileOf, MANUALS, requestOf, unconfirmed } from './storeRequests';
import { a, b, beforeEachPair, beginOne, CLOSED_PID, namesIn, rowNamed, serve, windows } from './storeWindows';

/** Options for a window with a newer schema. */
const NEWER = { migrations: [...MIGRATIONS, 'ALTER TABLE files ADD COLUMN label TEXT'] };

function makeFile(file: string, sql: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

describe('The task database file', () => {
  beforeEachPair();

  it('is accessible only to its owner', async () => {
    await a.queue(requestOf('r', [fileOf('1')]));
    const modes = ['', '-journal'].map((end) => statSync(windows.path + end).mode & 0o777);
    assert.deepEqual([...modes, statSync(path.dirname(windows.path)).mode & 0o777], [0o600, 0o600, 0o700]);
  });

  it('is set aside under a dated name if it was created by an unreleased version', async () => {
    makeFile(windows.path, 'CREATE TABLE tasks (key); INSERT INTO tasks VALUES (7); PRAGMA user_version = 1852400175');
    await a.queue(requestOf('r', [fileOf('1')]));
    const [aside = ''] = windows.asides;
    assert.match(path.basename(aside), /^imports\.sqlite\.foreign-2026-01-31T12-00-00\.000Z$/);
    const db = new DatabaseSync(aside);
    assert.deepEqual({ ...db.prepare('SELECT key FROM tasks').get() }, { key: 7 });
    db.close();
  });

  it('is set aside if it is damaged, and open windows continue with a new file', async () => {
    await a.queue(requestOf('before', [fileOf('1')]));
    const { attempt } = await beginOne(b, '2');
    writeFileSync(windows.path, 'This is no database.'.repeat(1000));
    await a.queue(requestOf('after', [fileOf('3')]));
    assert.equal(windows.asides.length, 1);
    assert.equal(readFileSync(windows.asides[0] ?? '', 'utf8').startsWith('This is no database.'), true);
    assert.deepEqual(await namesIn(b), ['3']);
    // The import isn't in the new database file, so its outcome isn't stored.
    assert.equal(await b.end(accepted(attempt, 't')), null);
    assert.deepEqual((await b.queue(requestOf('b', [fileOf('4')]))).imports.length, 1);
    assert.equal(windows.asides.length, 1);
  });

  for (const [how, lose] of [
    ['damaged', (file: string) => writeFileSync(file, 'This is no database.'.repeat(1000))],
    ['deleted', (file: string) => rmSync(file)],
  ] as const) {
    it(`is replaced if it is ${how}, and the new file uses different row IDs`, async () => {
      const before = await a.queue(requestOf('before', [fileOf('1')]));
      assert.deepEqual(await b.begin([]), []);
      lose(windows.path);
      const after = await a.queue(requestOf('after', [fileOf('2')]));
      assert.notEqual(after.destination, before.destination);
      assert.deepEqual(await b.begin([{ import: before.imports[0] ?? 0, attempt: b.attempt('old') }]), []);
      assert.deepEqual(await a.begin([{ import: before.imports[0] ?? 0, attempt: a.attempt('old') }]), []);
      assert.equal((await a.begin([{ import: after.imports[0] ?? 0, attempt: a.attempt('new') }])).length, 1);
    });
  }

  it('is not set aside if another window has already replaced it', async () => {
    await b.queue(requestOf('new', [fileOf('2')]));
    const replacement = readFileSync(windows.path);
    await a.counts(null);
    writeFileSync(windows.path, 'This is no database.'.repeat(1000));
    // Simulate another window replacing the file after this window has noticed the damage. The replacement happens when
    // this window calls `now`.
    const { now } = windows.clock;
    let isReplaced = false;
    const replace = () => {
      if (readFileSync(windows.path, 'utf8').startsWith('This is no database.')) {
        renameSync(windows.path, `${windows.path}.damaged-by-another-window`);
        writeFileSync(windows.path, replacement);
        isReplaced = true;
      }
      return now();
    };
    Object.assign(windows.clock, { now: replace });
    assert.deepEqual((await a.counts(null)).states, { queued: 1 });
    assert.equal(isReplaced, true);
    assert.deepEqual(windows.asides, []);
  });

  it('is set aside by only one window at a time', async () => {
    await a.counts(null);
    const other = new DatabaseSync(`${windows.path}.lock`);
    other.exec('BEGIN EXCLUSIVE');
    writeFileSync(windows.path, 'This is no database.'.repeat(1000));
    await assert.rejects(a.counts(null), { reason: 'locked' });
    assert.deepEqual(windows.asides, []);
    other.close();
    assert.deepEqual((await a.counts(null)).states, {});
    assert.equal(windows.asides.length, 1);
  });

  it('is left untouched if it was created by a newer version', async () => {
    makeFile(windows.path, `CREATE TABLE x (y); PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 99`);
    const before = readFileSync(windows.path);
    await assert.rejects(a.counts(null), { name: 'StoreFault', reason: 'newer' });
    assert.deepEqual(readFileSync(windows.path), before);
    assert.deepEqual(readdirSync(path.dirname(windows.path)), ['imports.sqlite']);
  });

  it('is migrated once windows running an older version have finished their uploads', async () => {
    const old = windows.open('Old');
    const sending = await beginOne(old, '1');
    const prepared = await beginOne(old, '2');
    await old.queue(requestOf('r', [fileOf('3')]));
    const updated = windows.open('New', NEWER);
    await assert.rejects(updated.counts(null), { reason: 'older' });
    const { outdated, held } = await serve(old);
    assert.deepEqual([outdated, held], [true, [1]]);
    // The old window doesn't send anything else, but still stores the outcomes of its uploads.
    assert.deepEqual(await old.next({ destination: 1, count: 9, except: [] }), []);
    assert.deepEqual(await old.begin([{ import: (await rowNamed(old, '3')).import.id, attempt: 'Old 3' }]), []);
    assert.equal((await old.putBack([{ attempt: prepared.attempt, tried: false }]))[0]?.outcome, 'queued');
    await assert.rejects(updated.counts(null), { reason: 'older' });
    assert.equal((await old.end(accepted(sending.attempt, 't1')))?.outcome, 'accepted');
    assert.deepEqual((await serve(old)).held, []);
    assert.deepEqual((await updated.counts(null)).states, { queued: 2, waiting: 1 });
    assert.deepEqual(windows.sql('SELECT label FROM files').length, 3);
    await assert.rejects(old.counts(null), { reason: 'newer' });
    assert.deepEqual((await serve(updated)).held, [1]);
  });

  it('still accepts new imports from an idle window running an older version, but no longer lets that window send them', async () => {
    const { attempt } = await beginOne(a, '1');
    const updated = windows.open('New', NEWER);
    await assert.rejects(updated.counts(null), { reason: 'older' });
    const { imports } = await b.queue(requestOf('idle', [fileOf('2')]));
    const served = await serve(b);
    assert.deepEqual([served.outdated, served.held, served.renewedMs], [true, [], null]);
    assert.deepEqual(await b.begin([{ import: imports[0] ?? 0, attempt: b.attempt('2') }]), []);
    await a.end(accepted(attempt, 't'));
    await serve(a);
    assert.deepEqual((await serve(updated)).held, [1]);
    assert.equal((await updated.next({ destination: 1, count: 9, except: [] }))[0]?.name, '2');
    await assert.rejects(b.queue(requestOf('later', [fileOf('3')])), { reason: 'newer' });
  });

  it('is migrated right away if the window running an older version has closed', async () => {
    await beginOne(windows.open('Old', { pid: CLOSED_PID }), '1');
    const updated = windows.open('New', NEWER);
    await serve(updated);
    assert.equal((await rowNamed(updated, '1')).state, 'unconfirmed');
  });

  it('cannot be used while another process has it locked, but works again afterward', async () => {
    const { attempt } = await beginOne(a, '1');
    const other = new DatabaseSync(windows.path);
    other.exec('BEGIN EXCLUSIVE');
    await assert.rejects(a.end(unconfirmed(attempt)), { reason: 'locked' });
    other.exec('COMMIT');
    other.close();
    assert.equal((await a.end(unconfirmed(attempt)))?.outcome, 'unconfirmed');
    assert.equal((await serve(a, { able: [MANUALS], checking: [] })).destinations[0]?.brake, 1);
  });
});
