import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { compareChecked, filesOf, goneFiles, unchangedFiles } from '../../../../src/tasks/comparing/taskListMemory';
import { checkFile, checkText } from '../../../../src/tasks/sending/checkedSource';
import { combinedReport } from '../../../../src/tasks/severalTasks';
import type { NewTask, Phase, Source } from '../../../../src/tasks/trackedTask';
import { sharedFiles } from '../sharedFiles';
import { always, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const BOOKS = { dataset: 'Books', origin: 'https://books.example' };
const LONG_AGO_S = 1_700_000_000;
const failure = { name: 'ConnectError', reason: 'dns', host: 'books.example', detail: '' } as const;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const going = () => new AbortController().signal;

/** A service's report of a task with this meaning. */
function reported(meaning: 'succeeded' | 'failed' | 'running'): Phase {
  return { kind: 'accepted', report: { status: meaning, meaning, progress: undefined, message: undefined, from: {} } };
}

const REJECTED: Phase = { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } };

type Facts = Partial<Omit<NewTask, 'source'>> & { readonly source?: Partial<Source> };

/** A store with files beside it, of which the tests say what was imported of them. */
class Workspace {
  readonly store: TemporaryStore;
  readonly list;
  readonly hashed: string[] = [];

  private constructor(store: TemporaryStore) {
    this.store = store;
    this.list = store.list();
  }

  static async make(): Promise<Workspace & AsyncDisposable> {
    const store = await TemporaryStore.make();
    return Object.assign(new Workspace(store), { [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() });
  }

  get services() {
    const sha256 = (file: string) => {
      this.hashed.push(path.basename(file));
      return sharedFiles.sha256(file);
    };
    const files = { look: (paths: readonly string[]) => sharedFiles.look(paths), sha256 };
    return { list: this.list, contents: this.list.store.contents, sources: { files } };
  }

  /** A file that was written long ago. */
  async write(name: string, text: string, timeS = LONG_AGO_S): Promise<string> {
    await mkdir(path.dirname(this.store.files.at(name).path), { recursive: true });
    const file = await this.store.files.write(name, text);
    await utimes(file.path, timeS, timeS);
    return file.path;
  }

  /** Imports a file as it was then. */
  async imported(name: string, text: string, facts: Facts = {}): Promise<void> {
    await this.list.add([this.importOf(name, text, facts)]);
  }

  importOf(name: string, text: string, { source, ...others }: Facts = {}): NewTask {
    const file = { path: this.store.files.at(name).path, sizeBytes: text.length, modifiedMs: LONG_AGO_S * 1000 };
    return taskOf({
      ...BOOKS,
      taskId: typedTaskId(name, 'string'),
      phase: reported('succeeded'),
      source: sourceOf(name, { ...file, sha256: sha256(text), ...source }),
      ...others,
    });
  }

  /** How files stand, by name. */
  async standings(...names: string[]): Promise<Record<string, string>> {
    const checked = await Promise.all(names.map((name) => checkFile(this.store.files.at(name).path, name)));
    const { standings } = await compareChecked(this.services, checked, BOOKS, going());
    return Object.fromEntries([...standings].map(([{ source }, { kind }]) => [source.name, kind]));
  }

  /** The names of the files that have not changed by their sizes and times. */
  async unchanged(...names: string[]): Promise<string[]> {
    const paths = names.map((name) => this.store.files.at(name).path);
    const found = await unchangedFiles(this.services, paths, BOOKS, going());
    return [...found.keys()].map((file) => path.basename(file)).sort();
  }
}

describe('A file beside what a destination has', () => {
  it('is new where nothing is known of it there', async () => {
    await using at = await Workspace.make();
    await at.write('a.txt', 'one');
    await at.imported('a.txt', 'one', { dataset: 'Other' });
    await at.imported('a.txt', 'one', { origin: 'https://elsewhere.example' });
    assert.deepEqual(await at.standings('a.txt'), { 'a.txt': 'new' });
    assert.deepEqual(await at.unchanged('a.txt'), []);
  });

  it('that was written again with the same content is unchanged, and by its time from then on', async () => {
    await using at = await Workspace.make();
    const file = await at.write('a.txt', 'one');
    await utimes(file, LONG_AGO_S + 1, LONG_AGO_S + 1);
    await at.imported('a.txt', 'one');
    assert.deepEqual(await at.unchanged('a.txt'), []);
    assert.deepEqual(await at.standings('a.txt'), { 'a.txt': 'unchanged' });
    assert.deepEqual(at.hashed, ['a.txt']);
    assert.deepEqual(await at.unchanged('a.txt'), ['a.txt']);
  });

  it('failed last time where it is as it was then, and is changed where it was edited since', async () => {
    await using at = await Workspace.make();
    const phases: Record<string, Phase> = {
      rejected: REJECTED,
      failed: reported('failed'),
      unconfirmed: { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 },
    };
    for (const [name, phase] of Object.entries(phases)) {
      await at.write(name, 'one');
      await at.imported(name, 'one', { phase });
      await at.write(`edited ${name}`, 'two', LONG_AGO_S + 1);
      await at.imported(`edited ${name}`, 'one', { phase });
    }
    const names = Object.keys(phases);
    assert.deepEqual(await at.unchanged(...names), []);
    for (const name of names) {
      assert.deepEqual(await at.standings(name), { [name]: 'failed' });
      assert.deepEqual(await at.standings(`edited ${name}`), { [`edited ${name}`]: 'changed' });
    }
  });

  it('is unchanged where an earlier import got in, though its newest one did not', async () => {
    await using at = await Workspace.make();
    await at.write('a.txt', 'one');
    await at.imported('a.txt', 'one');
    const task = at.list.held[0] ?? assert.fail();
    await at.list.beginAgain([[task.key, () => ({ phase: { kind: 'queued' } })]]);
    await at.list.change(task.key, { phase: { kind: 'notSent', failure } }, always);
    assert.deepEqual(await at.standings('a.txt'), { 'a.txt': 'unchanged' });
    await at.write('a.txt', 'two', LONG_AGO_S + 1);
    assert.deepEqual(await at.standings('a.txt'), { 'a.txt': 'changed' });
  });

  it('whose import was canceled is as if that had not been begun', async () => {
    await using at = await Workspace.make();
    const canceled: Phase = { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } };
    await at.write('new.txt', 'one');
    await at.imported('new.txt', 'one', { phase: canceled });
    assert.deepEqual(await at.standings('new.txt'), { 'new.txt': 'new' });
  });

  it('of which a part failed is not unchanged, though another part is there', async () => {
    await using at = await Workspace.make();
    await at.write('a.txt', 'one');
    const parts = (['failed', 'succeeded'] as const).map((meaning) => {
      const report = { status: meaning, meaning, progress: undefined, message: undefined, from: {} };
      return { taskId: typedTaskId(meaning, 'string'), report };
    });
    await at.imported('a.txt', 'one', { phase: { kind: 'accepted', report: combinedReport(parts), parts } });
    assert.deepEqual(await at.standings('a.txt'), { 'a.txt': 'failed' });
  });

  it('has changed where its size did, whatever is not known of an earlier import of it', async () => {
    await using at = await Workspace.make();
    const unconfirmed: Phase = { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 };
    const { sha256: _, ...source } = at.importOf('a.txt', 'one').source ?? assert.fail();
    const [task] = await at.list.add([taskOf({ ...BOOKS, phase: unconfirmed, source })]);
    await at.list.remove([task?.key ?? 0]);
    await at.write('a.txt', 'one');
    assert.deepEqual(await at.standings('a.txt'), { 'a.txt': 'unchanged' });
    await at.imported('a.txt', 'second');
    await at.write('a.txt', 'the third', LONG_AGO_S + 1);
    assert.deepEqual(await at.standings('a.txt'), { 'a.txt': 'changed' });
  });

  it('is in progress where it is being imported, and where it has changed while its task runs', async () => {
    await using at = await Workspace.make();
    await at.write('open.txt', 'one');
    await at.imported('open.txt', 'one', { phase: { kind: 'queued' } });
    await at.write('edited.txt', 'two', LONG_AGO_S + 1);
    await at.imported('edited.txt', 'one', { phase: reported('running') });
    await at.write('same.txt', 'one');
    await at.imported('same.txt', 'one', { phase: reported('running') });
    assert.deepEqual(await at.standings('open.txt', 'edited.txt'), { 'open.txt': 'open', 'edited.txt': 'running' });
    assert.deepEqual(await at.unchanged('open.txt', 'same.txt'), ['same.txt']);
  });

  it('was moved where its content is there from a file that is gone, and copied where that is still there', async () => {
    await using at = await Workspace.make();
    const before = await at.write('old/a.txt', 'one');
    await at.imported('old/a.txt', 'one');
    await at.write('new/copy.txt', 'one');
    assert.deepEqual(await at.standings('new/copy.txt'), { 'copy.txt': 'copied' });
    await rm(before);
    assert.deepEqual(await at.standings('new/copy.txt'), { 'copy.txt': 'moved' });
  });

  it('without a path on disk is compared by its content alone', async () => {
    await using at = await Workspace.make();
    const named = { name: 'a.txt', path: 'vscode-vfs://github/a.txt', relativePath: 'a.txt' };
    const { textFile: _, ...source } = (await checkText(named, Buffer.from('one'))).source;
    await at.imported('a.txt', 'one', { source: { ...source, sha256: sha256('one') } });
    const texts = await Promise.all(['one', 'two'].map((text) => checkText(named, Buffer.from(text))));
    const { standings } = await compareChecked(at.services, texts, BOOKS, going());
    assert.deepEqual(
      [...standings.values()].map(({ kind }) => kind),
      ['unchanged', 'changed'],
    );
  });
});

describe('The files of a folder that are gone', () => {
  it('are those that a destination has, of that folder only, however many', async () => {
    await using at = await Workspace.make();
    await at.write('docs/kept.txt', 'kept');
    for (const name of ['docs/kept.txt', 'docs-other/gone.txt', 'elsewhere.txt']) await at.imported(name, name);
    const deep = Array.from({ length: 1100 }, (_, index) => `docs/deep/${index}.txt`);
    await at.list.add(deep.map((name) => at.importOf(name, name)));
    const gone = await goneFiles(at.list, at.services.contents, BOOKS, at.store.files.at('docs').path, going());
    assert.deepEqual([gone.length, new Set(gone).size], [1100, 1100]);
  });
});

describe('The files of a dataset', () => {
  it('are all that have a row or were received, and the missing ones are listed apart', async () => {
    await using at = await Workspace.make();
    for (const name of ['listed.txt', 'cleared.txt', 'rejected.txt']) await at.write(name, name);
    await at.imported('listed.txt', 'listed.txt');
    await at.imported('rejected.txt', 'rejected.txt', { phase: REJECTED });
    await at.imported('gone.txt', 'gone.txt');
    await at.imported('elsewhere.txt', 'elsewhere.txt', { dataset: 'Other' });
    await at.list.add([at.importOf('cleared.txt', 'cleared.txt')]);
    const cleared = at.list.held.filter(({ source }) => source?.name === 'cleared.txt');
    await at.list.remove(cleared.map(({ key }) => key));
    const { present, gone } = await filesOf(at.list, at.services.contents, BOOKS, going());
    const names = (paths: readonly string[]) => paths.map((each) => path.basename(each));
    assert.deepEqual([names(present), names(gone)], [['cleared.txt', 'listed.txt', 'rejected.txt'], ['gone.txt']]);
  });
});
