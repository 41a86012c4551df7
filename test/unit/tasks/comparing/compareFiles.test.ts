import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { compareFiles, compareKnown, knownFiles, memoryOf } from '../../../../src/tasks/comparing/compareFiles';
import { type CheckedSource, checkFile, checkText } from '../../../../src/tasks/sending/checkedSource';
import { realPathOf } from '../../../../src/tasks/sending/fileOperations';
import type { End } from '../../../../src/tasks/store/model';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { sharedFiles } from '../sharedFiles';
import { accepted, fileOf, MANUALS, rejected, reportTask, requestOf, unconfirmed } from '../store/storeRequests';
import { beginOne, StoreWindows, type TestWindow } from '../store/storeWindows';

const BEFORE_S = 1_700_000_000;
const SINCE_S = BEFORE_S + 60;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const refused = (attempt: string, facts: Partial<End>) => rejected(attempt, '42', facts);
const neverAborted = () => new AbortController().signal;

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

  /**
   * Stores an import with this content, regardless of what is on disk, and returns its ID. If `task` is given, the
   * import's task gets this status, as if the service had reported it.
   */
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
    const upload = await beginOne(this.store, name, { ...facts, attempt: String(++this.#imports) });
    await this.store.end(end(upload.attempt, { content }));
    if (task === undefined) return upload.import;
    await reportTask(this.store, upload.import, typedTaskId(upload.attempt, 'string'), { status: task, meaning: task });
    return upload.import;
  }

  async checked(...names: string[]): Promise<CheckedSource[]> {
    return Promise.all(names.map((name) => checkFile({ path: this.at(name), relativePath: name })));
  }

  /** Compares files. Returns the results in the same order. */
  async comparisons(...names: string[]): Promise<string[]> {
    const compared = await compareFiles(this.services, await this.checked(...names), neverAborted());
    return [...compared.values()].map(({ comparison }) => comparison);
  }

  /** Compares known files, hashing only files up to this size. */
  async compareQuickly(maxHashedBytes: number, ...names: string[]): Promise<Record<string, string>> {
    const paths = names.map((name) => this.at(name));
    const { files } = await this.store.known({ destination: MANUALS, paths });
    const compared = await compareKnown(this.services, files, maxHashedBytes, neverAborted());
    return Object.fromEntries([...compared].map(([file, { comparison }]) => [path.basename(file), comparison]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.windows[Symbol.asyncDispose]();
    await this.files[Symbol.asyncDispose]();
  }
}

let library: Library;

beforeEach(async () => {
  library = await Library.make();
});
afterEach(() => library[Symbol.asyncDispose]());

describe('A file', () => {
  it('counts as new if it has never been uploaded to this destination', async () => {
    await library.write('a.txt', 'one');
    const other = { ...MANUALS, origin: 'https://elsewhere.example' };
    await library.store.queue(
      requestOf('run', [fileOf('a.txt', { path: library.at('a.txt') })], { destination: other }),
    );
    assert.deepEqual(await library.comparisons('a.txt'), ['new']);
  });

  it('counts as unchanged, without being hashed, if its size and modification time have not changed since the last upload', async () => {
    await library.write('a.txt', 'one');
    await library.imported('a.txt', 'one');
    assert.deepEqual(await library.compareQuickly(0, 'a.txt'), { 'a.txt': 'unchanged' });
    assert.deepEqual([await library.comparisons('a.txt'), library.hashed], [['unchanged'], []]);
  });

  it('counts as changed if its size or content has changed since the last upload', async () => {
    await library.write('longer.txt', 'one more', SINCE_S);
    await library.write('other.txt', 'two', SINCE_S);
    for (const name of ['longer.txt', 'other.txt']) await library.imported(name, 'one');
    assert.deepEqual(await library.comparisons('longer.txt', 'other.txt'), ['changed', 'changed']);
    assert.deepEqual(library.hashed, ['other.txt']);
  });

  it('counts as unchanged, and is hashed only once, if only its modification time has changed', async () => {
    const names = ['a.txt', 'b.txt'];
    for (const name of names) await library.imported(name, name);
    for (const name of names) await library.write(name, name, SINCE_S);
    assert.deepEqual(await library.comparisons('a.txt'), ['unchanged']);
    assert.deepEqual(await library.compareQuickly(1024, 'b.txt'), { 'b.txt': 'unchanged' });
    assert.deepEqual(library.hashed, names);
    assert.deepEqual(await library.compareQuickly(0, ...names), { 'a.txt': 'unchanged', 'b.txt': 'unchanged' });
  });

  it('is hashed for every comparison if it was modified so recently that another change could have the same timestamp', async () => {
    await library.imported('a.txt', 'one');
    await library.write('a.txt', 'one', Date.now() / 1000);
    for (const _ of [1, 2]) assert.deepEqual(await library.compareQuickly(1024, 'a.txt'), { 'a.txt': 'unchanged' });
    assert.deepEqual(library.hashed, ['a.txt', 'a.txt']);
  });

  it('is shown as failed or unconfirmed if that is how its last import ended, unless it has been edited since', async () => {
    for (const prefix of ['', 'edited ']) {
      await library.imported(`${prefix}no.txt`, 'no', refused);
      await library.imported(`${prefix}maybe.txt`, 'maybe', unconfirmed);
      await library.imported(`${prefix}failed.txt`, 'failed', undefined, 'failed');
    }
    for (const name of ['no', 'maybe', 'failed']) {
      await library.write(`${name}.txt`, name, SINCE_S);
      await library.write(`edited ${name}.txt`, name.toUpperCase(), SINCE_S);
    }
    const same = await library.comparisons('no.txt', 'maybe.txt', 'failed.txt');
    assert.deepEqual(same, ['failed', 'unconfirmed', 'failed']);
    const edited = await library.comparisons('edited no.txt', 'edited maybe.txt', 'edited failed.txt');
    assert.deepEqual(edited, ['changed', 'changed', 'changed']);
  });

  it('is shown as unconfirmed, or as changed if it was rejected, if only its modification time has changed since an import whose hash is unknown', async () => {
    const content = { sizeBytes: 3, modifiedMs: BEFORE_S * 1000, sha256: null };
    await library.imported('lost.txt', 'one', (attempt) => unconfirmed(attempt, { content }));
    await library.imported('marked.txt', 'one', (attempt) => accepted(attempt, attempt, { content }));
    for (const name of ['no.txt', 'marked.txt'])
      await library.imported(name, 'two', (attempt) => rejected(attempt, '42', { content }));
    for (const name of ['lost.txt', 'marked.txt', 'no.txt']) await library.write(name, 'one', SINCE_S);
    const expected = ['unconfirmed', 'unconfirmed', 'changed'];
    assert.deepEqual(await library.comparisons('lost.txt', 'marked.txt', 'no.txt'), expected);
    assert.deepEqual(await library.compareQuickly(1024, 'lost.txt', 'marked.txt'), { 'lost.txt': 'unconfirmed' });
  });

  it('is shown as failed if one of its tasks failed, even if another task succeeded', async () => {
    await library.write('a.txt', 'one');
    const other = typedTaskId('other', 'string');
    const asTwo = (attempt: string, facts: Partial<End>) =>
      accepted(attempt, undefined, { ...facts, taskIds: [typedTaskId(attempt, 'string'), other] });
    const id = await library.imported('a.txt', 'one', asTwo, 'failed');
    await reportTask(library.store, id, other, { status: 'DONE', meaning: 'succeeded' });
    assert.deepEqual(await library.comparisons('a.txt'), ['failed']);
  });

  it('counts as unchanged if its content was accepted, even if another version was rejected or the same content failed later', async () => {
    await library.write('rejected.txt', 'one', SINCE_S);
    await library.imported('rejected.txt', 'one');
    await library.imported('rejected.txt', 'two', refused);
    await library.write('failed.txt', 'three');
    for (const task of [undefined, 'failed'] as const) await library.imported('failed.txt', 'three', undefined, task);
    assert.deepEqual(await library.comparisons('rejected.txt', 'failed.txt'), ['unchanged', 'unchanged']);
  });

  it('counts as new if its only import was canceled, or was rejected and removed from the list', async () => {
    const canceled = (attempt: string): End => ({ attempt, outcome: 'notUploaded', sentBytes: 0, brake: 0 });
    await library.imported('canceled.txt', 'one', canceled);
    await library.imported('removed.txt', 'one', refused);
    await library.store.remove({ states: ['rejected'] });
    for (const name of ['canceled.txt', 'removed.txt']) await library.write(name, 'one', SINCE_S);
    assert.deepEqual(await library.comparisons('canceled.txt', 'removed.txt'), ['new', 'new']);
  });

  it('is shown as importing while it is queued or being sent', async () => {
    const queued = fileOf('queued.txt', { path: await library.write('queued.txt', 'one') });
    await library.store.queue(requestOf('run', [queued]));
    await library.write('sending.txt', 'two');
    await beginOne(library.store, 'sending.txt', { path: library.at('sending.txt') });
    assert.deepEqual(await library.comparisons('queued.txt', 'sending.txt'), ['importing', 'importing']);
  });

  it('counts as copied if its content was uploaded from another file, or as moved if that file no longer exists', async () => {
    await library.imported('old/a.txt', 'one');
    await library.imported('old/b.txt', 'two');
    await library.write('old/a.txt', 'one');
    await library.write('copy.txt', 'one');
    await library.write('moved.txt', 'two');
    assert.deepEqual(await library.comparisons('copy.txt', 'moved.txt'), ['copied', 'moved']);
    await library.imported('copy.txt', 'other', refused);
    assert.deepEqual(await library.comparisons('copy.txt'), ['copied']);
    // A copy of an older version of a deleted file.
    for (const text of ['three', 'four']) await library.imported('old/c.txt', text);
    await library.write('older.txt', 'three');
    assert.deepEqual(await library.comparisons('older.txt'), ['copied']);
  });

  it('counts as unconfirmed if the import of another file with the same content is unconfirmed', async () => {
    await library.imported('before.txt', 'one', unconfirmed);
    await library.write('after.txt', 'one');
    assert.deepEqual(await library.comparisons('after.txt'), ['unconfirmed']);
  });

  it('counts as copied if its content was uploaded from a file on another file system', async () => {
    const content = { sizeBytes: 3, modifiedMs: null, sha256: sha256('one') };
    const { attempt } = await beginOne(library.store, 'a.txt', { path: 'vscode-vfs://github/a.txt', ...content });
    await library.store.end(accepted(attempt, 't', { content }));
    await library.write('b.txt', 'one');
    assert.deepEqual(await library.comparisons('b.txt'), ['copied']);
  });

  it('does not count as a copy of a file that failed to import or has a different size', async () => {
    await library.imported('failed.txt', 'one', undefined, 'failed');
    await library.imported('longer.txt', 'longer');
    await library.write('copy.txt', 'one');
    await library.write('shorter.txt', 'short');
    assert.deepEqual(await library.comparisons('copy.txt', 'shorter.txt'), ['new', 'new']);
    assert.deepEqual(library.hashed, ['copy.txt']);
  });

  it('is identified by its real path, even if it was opened through a link', async () => {
    await library.write('one/a.txt', 'one');
    await library.imported('one/a.txt', 'one');
    symlinkSync(library.at('one'), library.at('link'));
    assert.deepEqual(await library.comparisons('link/a.txt'), ['unchanged']);
  });

  it('counts as changed if it cannot be read, so that importing it shows the error', async () => {
    await library.write('a.txt', 'one', SINCE_S);
    await library.imported('a.txt', 'one');
    const checked = await library.checked('a.txt');
    rmSync(library.at('a.txt'));
    const [compared] = (await compareFiles(library.services, checked, neverAborted())).values();
    assert.equal(compared?.comparison, 'changed');
  });

  it('counts as a copy if it has never been saved, but the same text was already uploaded from another file', async () => {
    await library.imported('a.txt', 'one');
    const named = { name: 'Untitled-1', path: 'untitled:Untitled-1', relativePath: 'Untitled-1' };
    const texts = await Promise.all(['one', 'two'].map((text) => checkText(named, Buffer.from(text))));
    const compared = await compareFiles(library.services, texts, neverAborted());
    assert.equal([...compared.values()].map(({ comparison }) => comparison).join(), 'copied,new');
  });

  it('is neither looked up nor hashed after the user cancels', async () => {
    await library.write('a.txt', 'one', SINCE_S);
    await library.imported('a.txt', 'one');
    const canceled = AbortSignal.abort(new Error('canceled'));
    await assert.rejects(compareFiles(library.services, await library.checked('a.txt'), canceled), /canceled/);
    await assert.rejects(knownFiles(library.services.memory, null, canceled), /canceled/);
    assert.deepEqual(library.hashed, []);
  });
});

describe('A quick comparison', () => {
  it('skips missing files, and files that are too large to hash, unless their size has changed', async () => {
    await library.imported('gone.txt', 'one');
    for (const name of ['small.txt', 'large.txt'])
      await library.imported(name, 'x'.repeat(name === 'small.txt' ? 10 : 11));
    await library.write('small.txt', 'y'.repeat(10), SINCE_S);
    await library.write('large.txt', 'y'.repeat(11), SINCE_S);
    assert.deepEqual(await library.compareQuickly(10, 'gone.txt', 'small.txt', 'large.txt'), {
      'small.txt': 'changed',
    });
    assert.deepEqual(library.hashed, ['small.txt']);
    await library.write('large.txt', 'y'.repeat(12), SINCE_S);
    assert.deepEqual(await library.compareQuickly(10, 'large.txt'), { 'large.txt': 'changed' });
  });
});

describe('The list of uploaded files', () => {
  it('contains existing and missing files, for one folder or all folders', async () => {
    for (const name of ['docs/a.txt', 'docs/missing.txt', 'docs-other/b.txt']) await library.imported(name, name);
    for (const name of ['docs/a.txt', 'docs-other/b.txt']) await library.write(name, name);
    const relative = (paths: readonly string[]) => paths.map((file) => path.relative(library.files.folder, file));
    const all = await knownFiles(library.services.memory, null, neverAborted());
    assert.deepEqual(relative(all), ['docs-other/b.txt', 'docs/a.txt', 'docs/missing.txt']);
    const known = await knownFiles(library.services.memory, library.at('docs'), neverAborted());
    assert.deepEqual(relative(known), ['docs/a.txt', 'docs/missing.txt']);
  });

  it('does not count files as missing if their folder cannot be read', async () => {
    await library.write('docs/a.txt', 'one');
    chmodSync(library.at('docs'), 0o000);
    const found = await realPathOf(library.at('docs/a.txt'));
    chmodSync(library.at('docs'), 0o700);
    assert.equal(found, library.at('docs/a.txt'));
  });
});
