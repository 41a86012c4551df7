import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { compareFiles, compareKnown, knownFiles, memoryOf } from '../../../../src/tasks/comparing/compareFiles';
import { type CheckedSource, checkFile, checkText } from '../../../../src/tasks/sending/checkedSource';
import type { End } from '../../../../src/tasks/store/model';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { sharedFiles } from '../sharedFiles';
import { accepted, fileOf, MANUALS, rejected, reportTask, requestOf, unconfirmed } from '../store/storeRequests';
import { beginOne, StoreWindows, type TestWindow } from '../store/storeWindows';

const BEFORE_S = 1_700_000_000;
const SINCE_S = BEFORE_S + 60;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const going = () => new AbortController().signal;

/** Files on disk and a store that contains their imports. */
class Library {
  readonly hashed: string[] = [];
  #imports = 0;

  private constructor(
    readonly files: TemporaryFiles,
    readonly windows: StoreWindows,
    readonly store: TestWindow,
  ) {}

  static async make(): Promise<Library> {
    const windows = await StoreWindows.make();
    return new Library(await TemporaryFiles.make(), windows, windows.open('A'));
  }

  get services() {
    const counted = (file: string) => {
      this.hashed.push(path.basename(file));
      return sharedFiles.sha256(file);
    };
    const files = { look: (paths: readonly string[]) => sharedFiles.look(paths), sha256: counted };
    return { files, memory: memoryOf(this.store, MANUALS) };
  }

  at(name: string): string {
    return this.files.at(name).path;
  }

  async write(name: string, text: string, timeS = BEFORE_S): Promise<string> {
    mkdirSync(path.dirname(this.at(name)), { recursive: true });
    const { path: file } = await this.files.write(name, text);
    utimesSync(file, timeS, timeS);
    return file;
  }

  /** Stores an import with this content, regardless of what is on disk. `task` is the reported state. Returns the import's ID. */
  async imported(
    name: string,
    text: string,
    end: (attempt: string, facts: Partial<End>) => End = (attempt, facts) => accepted(attempt, attempt, facts),
    task?: 'failed',
  ): Promise<number> {
    const file = this.at(name);
    const content = { sizeBytes: Buffer.byteLength(text), modifiedMs: BEFORE_S * 1000, sha256: sha256(text) };
    const known = await this.store.known({ destination: MANUALS, paths: [file] });
    const facts = { path: file, ...content, seen: known.files[0]?.row?.import ?? null };
    const begun = await beginOne(this.store, name, { ...facts, attempt: String(++this.#imports) });
    await this.store.end(end(begun.attempt, { content }));
    if (task === undefined) return begun.import;
    await reportTask(this.store, begun.import, typedTaskId(begun.attempt, 'string'), { status: task, meaning: task });
    return begun.import;
  }

  async checked(...names: string[]): Promise<CheckedSource[]> {
    return Promise.all(names.map((name) => checkFile(this.at(name), name)));
  }

  /** Compares files. Returns the results in the same order. */
  async comparisons(...names: string[]): Promise<string[]> {
    const compared = await compareFiles(this.services, await this.checked(...names), going());
    return [...compared.values()].map(({ comparison }) => comparison);
  }

  /** Compares known files, hashing only files up to this size. */
  async glance(maxHashedBytes: number, ...names: string[]): Promise<Record<string, string>> {
    const paths = names.map((name) => this.at(name));
    const { files } = await this.store.known({ destination: MANUALS, paths });
    const compared = await compareKnown(this.services, files, maxHashedBytes, going());
    return Object.fromEntries([...compared].map(([file, { comparison }]) => [path.basename(file), comparison]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.windows[Symbol.asyncDispose]();
    await this.files[Symbol.asyncDispose]();
  }
}

describe('A file', () => {
  it('counts as new if it was never uploaded to this destination', async () => {
    await using at = await Library.make();
    await at.write('a.txt', 'one');
    const other = { ...MANUALS, origin: 'https://elsewhere.example' };
    await at.store.queue(requestOf('run', [fileOf('a.txt', { path: at.at('a.txt') })], { destination: other }));
    assert.deepEqual(await at.comparisons('a.txt'), ['new']);
  });

  it('counts as unchanged, without being hashed, if its size and modification time are the same', async () => {
    await using at = await Library.make();
    await at.write('a.txt', 'one');
    await at.imported('a.txt', 'one');
    assert.deepEqual(await at.glance(0, 'a.txt'), { 'a.txt': 'unchanged' });
    assert.deepEqual([await at.comparisons('a.txt'), at.hashed], [['unchanged'], []]);
  });

  it('counts as changed if its size or content is different', async () => {
    await using at = await Library.make();
    await at.write('longer.txt', 'one more', SINCE_S);
    await at.write('other.txt', 'two', SINCE_S);
    for (const name of ['longer.txt', 'other.txt']) await at.imported(name, 'one');
    assert.deepEqual(await at.comparisons('longer.txt', 'other.txt'), ['changed', 'changed']);
    assert.deepEqual(at.hashed, ['other.txt']);
  });

  it('is hashed only once and counts as unchanged if only its modification time is different, as after switching branches', async () => {
    await using at = await Library.make();
    const names = ['a.txt', 'b.txt'];
    for (const name of names) await at.imported(name, name);
    for (const name of names) await at.write(name, name, SINCE_S);
    assert.deepEqual(await at.comparisons('a.txt'), ['unchanged']);
    assert.deepEqual(await at.glance(1024, 'b.txt'), { 'b.txt': 'unchanged' });
    assert.deepEqual(at.hashed, names);
    assert.deepEqual(await at.glance(0, ...names), { 'a.txt': 'unchanged', 'b.txt': 'unchanged' });
  });

  it('is hashed every time if it is so new that a later change could have the same timestamp', async () => {
    await using at = await Library.make();
    await at.imported('a.txt', 'one');
    await at.write('a.txt', 'one', Date.now() / 1000);
    for (const _ of [1, 2]) assert.deepEqual(await at.glance(1024, 'a.txt'), { 'a.txt': 'unchanged' });
    assert.deepEqual(at.hashed, ['a.txt', 'a.txt']);
  });

  it('is shown as failed or unconfirmed if its last import had that outcome, unless the file was edited since', async () => {
    await using at = await Library.make();
    const [no, maybe] = [
      (attempt: string, facts: Partial<End>) => rejected(attempt, '42', facts),
      (attempt: string, facts: Partial<End>) => unconfirmed(attempt, facts),
    ];
    for (const prefix of ['', 'edited ']) {
      await at.imported(`${prefix}no.txt`, 'no', no);
      await at.imported(`${prefix}maybe.txt`, 'maybe', maybe);
      await at.imported(`${prefix}failed.txt`, 'failed', undefined, 'failed');
    }
    for (const name of ['no', 'maybe', 'failed']) {
      await at.write(`${name}.txt`, name, SINCE_S);
      await at.write(`edited ${name}.txt`, name.toUpperCase(), SINCE_S);
    }
    assert.deepEqual(await at.comparisons('no.txt', 'maybe.txt', 'failed.txt'), ['failed', 'unconfirmed', 'failed']);
    const edited = await at.comparisons('edited no.txt', 'edited maybe.txt', 'edited failed.txt');
    assert.deepEqual(edited, ['changed', 'changed', 'changed']);
  });

  it('is shown as failed if one of its tasks failed, even if another task succeeded', async () => {
    await using at = await Library.make();
    await at.write('a.txt', 'one');
    const other = typedTaskId('other', 'string');
    const asTwo = (attempt: string, facts: Partial<End>) =>
      accepted(attempt, undefined, { ...facts, taskIds: [typedTaskId(attempt, 'string'), other] });
    const id = await at.imported('a.txt', 'one', asTwo, 'failed');
    await reportTask(at.store, id, other, { status: 'DONE', meaning: 'succeeded' });
    assert.deepEqual(await at.comparisons('a.txt'), ['failed']);
  });

  it('counts as unchanged if its content was accepted before another version was rejected', async () => {
    await using at = await Library.make();
    await at.write('a.txt', 'one', SINCE_S);
    await at.imported('a.txt', 'one');
    await at.imported('a.txt', 'two', (attempt, facts) => rejected(attempt, '42', facts));
    assert.deepEqual(await at.comparisons('a.txt'), ['unchanged']);
  });

  it('counts as new if its only import was canceled, or was rejected and removed from the list', async () => {
    await using at = await Library.make();
    const canceled = (attempt: string): End => ({ attempt, outcome: 'notUploaded', sentBytes: 0, brake: 0 });
    await at.imported('canceled.txt', 'one', canceled);
    await at.imported('removed.txt', 'one', (attempt, facts) => rejected(attempt, '42', facts));
    await at.store.remove({ states: ['rejected'] });
    for (const name of ['canceled.txt', 'removed.txt']) await at.write(name, 'one', SINCE_S);
    assert.deepEqual(await at.comparisons('canceled.txt', 'removed.txt'), ['new', 'new']);
  });

  it('is shown as importing while it is queued or being sent', async () => {
    await using at = await Library.make();
    const queued = fileOf('queued.txt', { path: await at.write('queued.txt', 'one') });
    await at.store.queue(requestOf('run', [queued]));
    await at.write('sending.txt', 'two');
    await beginOne(at.store, 'sending.txt', { path: at.at('sending.txt') });
    assert.deepEqual(await at.comparisons('queued.txt', 'sending.txt'), ['importing', 'importing']);
  });

  it('counts as copied if its content was uploaded from another file, or as moved if that file no longer exists', async () => {
    await using at = await Library.make();
    await at.imported('old/a.txt', 'one');
    await at.imported('old/b.txt', 'two');
    await at.write('old/a.txt', 'one');
    for (const [name, text] of [
      ['copy.txt', 'one'],
      ['moved.txt', 'two'],
    ] as const)
      await at.write(name, text);
    assert.deepEqual(await at.comparisons('copy.txt', 'moved.txt'), ['copied', 'moved']);
    await at.imported('copy.txt', 'other', (attempt, facts) => rejected(attempt, '42', facts));
    assert.deepEqual(await at.comparisons('copy.txt'), ['copied']);
  });

  it('does not count as a copy if the other file failed or has a different size', async () => {
    await using at = await Library.make();
    await at.imported('failed.txt', 'one', undefined, 'failed');
    await at.imported('longer.txt', 'longer');
    await at.write('copy.txt', 'one');
    await at.write('shorter.txt', 'short');
    assert.deepEqual(await at.comparisons('copy.txt', 'shorter.txt'), ['new', 'new']);
    assert.deepEqual(at.hashed, ['copy.txt']);
  });

  it('is identified by its real path, even through a link', async () => {
    await using at = await Library.make();
    await at.write('one/a.txt', 'one');
    await at.imported('one/a.txt', 'one');
    symlinkSync(at.at('one'), at.at('link'));
    assert.deepEqual(await at.comparisons('link/a.txt'), ['unchanged']);
  });

  it('counts as changed if it cannot be read, so that its import reports why', async () => {
    await using at = await Library.make();
    await at.write('a.txt', 'one', SINCE_S);
    await at.imported('a.txt', 'one');
    const checked = await at.checked('a.txt');
    rmSync(at.at('a.txt'));
    const [compared] = (await compareFiles(at.services, checked, going())).values();
    assert.equal(compared?.comparison, 'changed');
  });

  it('counts as copied if its unsaved text was already uploaded from another file', async () => {
    await using at = await Library.make();
    await at.imported('a.txt', 'one');
    const named = { name: 'Untitled-1', path: 'untitled:Untitled-1', relativePath: 'Untitled-1' };
    const texts = await Promise.all(['one', 'two'].map((text) => checkText(named, Buffer.from(text))));
    const compared = await compareFiles(at.services, texts, going());
    assert.deepEqual(
      [...compared.values()].map(({ comparison }) => comparison),
      ['copied', 'new'],
    );
  });

  it('is neither looked up nor hashed after the user cancels', async () => {
    await using at = await Library.make();
    await at.write('a.txt', 'one', SINCE_S);
    await at.imported('a.txt', 'one');
    const canceled = AbortSignal.abort(new Error('canceled'));
    await assert.rejects(compareFiles(at.services, await at.checked('a.txt'), canceled), /canceled/);
    await assert.rejects(knownFiles(at.services.memory, null, canceled), /canceled/);
    assert.deepEqual(at.hashed, []);
  });
});

describe('A quick comparison', () => {
  it('leaves out files that are too large to hash, unless their size has changed', async () => {
    await using at = await Library.make();
    for (const name of ['small.txt', 'large.txt']) await at.imported(name, 'x'.repeat(name === 'small.txt' ? 10 : 11));
    await at.write('small.txt', 'y'.repeat(10), SINCE_S);
    await at.write('large.txt', 'y'.repeat(11), SINCE_S);
    assert.deepEqual(await at.glance(10, 'small.txt', 'large.txt'), { 'small.txt': 'changed' });
    assert.deepEqual(at.hashed, ['small.txt']);
    await at.write('large.txt', 'y'.repeat(12), SINCE_S);
    assert.deepEqual(await at.glance(10, 'large.txt'), { 'large.txt': 'changed' });
  });

  it('leaves out a missing file', async () => {
    await using at = await Library.make();
    await at.imported('gone.txt', 'one');
    assert.deepEqual(await at.glance(10, 'gone.txt'), {});
  });
});

describe('The list of uploaded files', () => {
  it('contains existing and missing files, for one folder or all folders', async () => {
    await using at = await Library.make();
    for (const name of ['docs/a.txt', 'docs/missing.txt', 'docs-other/b.txt']) await at.imported(name, name);
    for (const name of ['docs/a.txt', 'docs-other/b.txt']) await at.write(name, name);
    const relative = (paths: readonly string[]) => paths.map((file) => path.relative(at.files.folder, file));
    const all = await knownFiles(at.services.memory, null, going());
    assert.deepEqual(
      [relative(all.present), relative(all.missing)],
      [['docs-other/b.txt', 'docs/a.txt'], ['docs/missing.txt']],
    );
    const { present, missing } = await knownFiles(at.services.memory, at.at('docs'), going());
    assert.deepEqual([relative(present), relative(missing)], [['docs/a.txt'], ['docs/missing.txt']]);
    renameSync(at.at('docs'), at.at('renamed'));
    assert.equal((await knownFiles(at.services.memory, at.at('docs'), going())).missing.length, 2);
  });

  it('does not show files as missing if their folder cannot be read', async () => {
    await using at = await Library.make();
    await at.imported('docs/a.txt', 'one');
    await at.write('docs/a.txt', 'one');
    chmodSync(at.at('docs'), 0o000);
    const { missing } = await knownFiles(at.services.memory, null, going());
    chmodSync(at.at('docs'), 0o700);
    assert.deepEqual(missing, []);
  });
});
