import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { FileType, Uri } from 'vscode';
import { collectFiles } from '../../../../src/editor/collecting/collectFiles';
import { fileRules } from '../../../../src/editor/platform/settings';
import type { FileRules } from '../../../../src/files/fileRules';
import { WorkspaceFiles } from '../../workspaceFiles';
import { MemoryFiles } from './memoryFiles';

const never = new AbortController().signal;

describe('Files to import', () => {
  let files: WorkspaceFiles;
  let rules: FileRules;

  beforeEach(() => {
    files = new WorkspaceFiles('collected');
    rules = fileRules();
  });

  afterEach(() => files.remove());

  it('are those of a folder and of all below it, by path, with the endings of text', async () => {
    write('b.txt', 'a/c.md', 'a/b/d.csv', 'a-b.txt', 'image.png', 'a/program');
    const { names, leftOutFiles, unreadable } = await collect(['']);
    assert.deepEqual(names, ['a-b.txt', 'a/b/d.csv', 'a/c.md', 'b.txt']);
    assert.equal(leftOutFiles, 2);
    assert.deepEqual(unreadable, []);
  });

  it('are always those that were chosen one by one, whatever the rules say, and even where they are missing', async () => {
    write('.gitignore:*.txt', 'node_modules/a.js', 'ignored.txt', 'program');
    const chosen = ['program', 'node_modules/a.js', 'ignored.txt', 'missing.txt'];
    assert.deepEqual((await collect(chosen)).names, chosen.toSorted());
  });

  it('are there once, though they were chosen in several ways, and are not counted as left out then', async () => {
    write('a/b/c.txt', 'a/d.bin', '.gitignore:a/b');
    const { names, leftOutFiles, leftOutFolders } = await collect(['', 'a', 'a', 'a/b', 'a/b/c.txt', 'a/d.bin']);
    assert.deepEqual(names, ['a/b/c.txt', 'a/d.bin']);
    assert.deepEqual([leftOutFiles, leftOutFolders], [1, 0]); // .gitignore itself
  });

  it('outside the workspace come after the name of the chosen folder, or of their own, so that equal names differ', async () => {
    const elsewhere = mkdtempSync(join(dirname(files.folder), '..', 'di-elsewhere-'));
    const below = (name: string) => relative(files.folder, join(elsewhere, name));
    for (const folder of ['one', 'two', 'three', 'four']) {
      mkdirSync(join(elsewhere, folder, 'docs'), { recursive: true });
      writeFileSync(join(elsewhere, folder, 'docs', 'README.md'), 'text');
      writeFileSync(join(elsewhere, folder, 'README.md'), 'text');
    }
    const chosen = ['one', 'two', 'one/docs/README.md', 'three/README.md', 'four/README.md'];
    const { found } = await collect(chosen.map(below));
    rmSync(elsewhere, { recursive: true });
    assert.deepEqual(
      found.map(({ relativePath }) => relativePath),
      [
        ...['four/README.md', 'one/README.md', 'one/docs/README.md', 'three/README.md'],
        ...['two/README.md', 'two/docs/README.md'],
      ],
    );
  });

  it('have the path that VS Code shows', async () => {
    write('a/b.txt');
    const { found } = await collect(['a']);
    assert.deepEqual(
      found.map(({ relativePath }) => relativePath),
      ['collected/a/b.txt'],
    );
  });

  it('are chosen by globs from the workspace folder on', async () => {
    write('a/b.rst', 'a/c.txt', 'd.tmp.txt', 'old/e.txt', 'node_modules/f.txt');
    const excluding = await collect([''], { ...rules, exclude: ['*.tmp.txt', 'collected/old'] });
    assert.deepEqual(excluding.names, ['a/b.rst', 'a/c.txt', 'node_modules/f.txt']);
    assert.deepEqual([excluding.leftOutFiles, excluding.leftOutFolders], [1, 1]);
    const including = await collect(['a', 'old'], { ...rules, include: ['collected/*/*.rst', '/e.txt'] });
    assert.deepEqual(including.names, ['a/b.rst']);
  });

  describe('where ignore files speak', () => {
    it('are what they leave, deeper ones having the last word, those above the chosen folder too', async () => {
      write('.gitignore:*.log\n/c/build/', 'c/.gitignore:!keep.log\nx.txt', 'c/d/.gitignore:keep.log\n!x.txt');
      write('c/a.log', 'c/keep.log', 'c/x.txt', 'c/build/y.txt', 'c/d/keep.log', 'c/d/x.txt', 'c/d/build/z.txt');
      const { names, leftOutFiles, leftOutFolders } = await collect(['c']);
      assert.deepEqual(names, ['c/d/build/z.txt', 'c/d/x.txt', 'c/keep.log']);
      assert.deepEqual([leftOutFiles, leftOutFolders], [5, 1]);
    });

    it('are all where they are not to count', async () => {
      write('.gitignore:*', 'a.txt', 'b/c.txt');
      assert.deepEqual((await collect([''])).names, []);
      assert.deepEqual((await collect([''], { ...rules, useIgnoreFiles: false })).names, ['a.txt', 'b/c.txt']);
    });

    it('are those of an ignored folder where this very folder was chosen', async () => {
      write('.gitignore:out', 'out/a.txt', 'out/.gitignore:b.txt', 'out/b.txt', 'out/deep/c.txt', 'out/deep/b.txt');
      assert.deepEqual((await collect(['out'])).names, ['out/a.txt', 'out/deep/c.txt']);
      assert.deepEqual((await collect(['out/deep'])).names, ['out/deep/c.txt']);
      assert.deepEqual((await collect([''])).names, []);
    });

    it('are never those of .git', async () => {
      write('.git/a.txt', 'b/.git/a.txt', 'b/a.txt');
      assert.deepEqual((await collect(['', '.git'])).names, ['b/a.txt']);
    });
  });

  describe('that may hold secrets', () => {
    it('are marked, chosen themselves or found, but left out in silence where they would be anyway', async () => {
      write('.env', 'prod.env', 'key.pem', '.ssh/notes.txt', 'a.txt', 'ignored/.ssh/b.txt', '.gitignore:ignored');
      const chosen = await collect(['', '.env']);
      assert.deepEqual(chosen.names, ['.env', '.ssh/notes.txt', 'a.txt']);
      assert.deepEqual(chosen.sensitive, ['.env', '.ssh/notes.txt']);
      const all = await collect([''], { ...rules, include: ['**'] });
      assert.deepEqual(all.sensitive, ['.env', '.ssh/notes.txt', 'key.pem', 'prod.env']);
    });

    it('are known behind a link with a harmless name, and below a linked folder', async () => {
      write('.ssh/config', 'server.pem', 'docs/a.txt');
      link('docs/readme.md', '../server.pem');
      link('secret', '.ssh');
      const { names, sensitive } = await collect(['docs', 'secret/config', 'secret'], { ...rules, include: ['**'] });
      assert.deepEqual(names, ['docs/a.txt', 'docs/readme.md', 'secret/config']);
      assert.deepEqual(sensitive, ['docs/readme.md', 'secret/config']);
      assert.deepEqual((await collect(['secret'], { ...rules, include: ['**'] })).sensitive, ['secret/config']);
    });
  });

  describe('to which links lead', () => {
    let outside: string;

    beforeEach(() => {
      outside = folderOutside();
      mkdirSync(join(outside, 'docs'));
      for (const name of ['diary.txt', 'docs/a.txt']) writeFileSync(join(outside, name), 'x');
    });

    afterEach(() => rmSync(outside, { recursive: true }));

    it('are marked where they are out of the workspace, found or chosen, also below a linked folder', async () => {
      write('a/b.txt', 'c.txt');
      link('a/inside.txt', '../c.txt');
      link('a/notes.txt', join(outside, 'diary.txt'));
      link('linked', join(outside, 'docs'));
      const place = realpathSync(outside);
      assert.deepEqual((await collect(['a'])).outside, [['a/notes.txt', join(place, 'diary.txt')]]);
      assert.deepEqual((await collect(['a/notes.txt'])).outside, [['a/notes.txt', join(place, 'diary.txt')]]);
      assert.deepEqual((await collect(['linked'])).outside, [['linked/a.txt', join(place, 'docs/a.txt')]]);
      assert.deepEqual((await collect(['a/inside.txt', 'c.txt'])).outside, []);
    });
  });

  it('are found without going round in circles: links to folders are not followed, links to files are', async () => {
    write('a/b.txt', 'a/c/d.txt');
    link('a/c/up', '..');
    link('a/self', '.');
    link('a/e.txt', 'b.txt');
    link('a/nowhere.txt', 'missing');
    link('a/nothing.bin', 'missing');
    const { names, leftOut, leftOutFiles, leftOutFolders } = await collect(['a']);
    assert.deepEqual(names, ['a/b.txt', 'a/c/d.txt', 'a/e.txt']);
    assert.deepEqual(leftOut.map(({ reason }) => reason).toSorted(), [
      'brokenLink',
      'extension',
      ...['linkedFolder', 'linkedFolder'],
    ]);
    assert.deepEqual([leftOutFiles, leftOutFolders], [2, 2]);
    assert.deepEqual((await collect(['a/c/up'])).names, ['a/c/up/b.txt', 'a/c/up/c/d.txt', 'a/c/up/e.txt']);
  });

  it('are found outside of the workspace too, by the ignore files of the folder itself', async () => {
    const outside = folderOutside();
    try {
      for (const name of ['a.txt', 'b.txt', '.gitignore']) writeFileSync(join(outside, name), '/b.txt');
      const { files: found } = await collectFiles([Uri.file(outside)], () => rules, never);
      assert.deepEqual(
        found.map(({ uri }) => uri.fsPath),
        [join(outside, 'a.txt')],
      );
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('are found in each folder by the rules of that folder', async () => {
    using memory = new MemoryFiles({ '/one/a.txt': '', '/one/b.rst': '', '/two/c.txt': '', '/two/below/d.rst': '' });
    const rulesOf = (folder?: Uri) => ({ ...rules, include: folder?.path === '/two' ? ['*.rst'] : ['*.txt'] });
    const { files: found } = await collectFiles([memory.uri('/one'), memory.uri('/two')], rulesOf, never);
    assert.deepEqual(paths(found), ['/one/a.txt', '/two/below/d.rst']);
  });

  it('are found though a folder or its ignore file cannot be read, and the folder is named', async () => {
    using memory = new MemoryFiles({
      '/top/a.txt': '',
      '/top/shut/b.txt': '',
      '/top/half/c.txt': '',
      '/top/half/.gitignore': '',
    });
    memory.unreadable.add('/top/shut').add('/top/half/.gitignore');
    const { files: found, leftOut } = await collectFiles([memory.uri('/top')], () => rules, never);
    assert.deepEqual(paths(found), ['/top/a.txt']);
    assert.deepEqual(
      leftOut.flatMap(({ uri, reason }) => (reason === 'unreadable' ? [uri.path] : [])),
      ['/top/half', '/top/shut'],
    );
  });

  it('are found on a file system that is no disk, whatever names it gives', async () => {
    using memory = new MemoryFiles({
      '/top/a.txt': '',
      '/top/b/c.md': '',
      '/top/.gitignore': 'd.txt',
      '/top/b/d.txt': '',
      '/top/.env': '',
    });
    memory.more.set('/top/b', [
      ['..', FileType.Directory],
      ['.', FileType.Directory],
      ['', FileType.Directory],
      ['../a.txt', FileType.File],
      ['c.md', FileType.File],
      ['pipe.txt', FileType.Unknown],
    ]);
    const { files: found } = await collectFiles([memory.uri('/top'), memory.uri('/top/.env')], () => rules, never);
    assert.deepEqual(paths(found), ['/top/.env', '/top/a.txt', '/top/b/c.md']);
    assert.deepEqual(paths(found.filter(({ isSensitive }) => isSensitive)), ['/top/.env']);
  });

  it('are not given once the search is canceled', async () => {
    using memory = new MemoryFiles({ '/top/a.txt': '', '/top/below/b.txt': '' });
    const stop = new AbortController();
    const reason = new Error('canceled');
    const stopWhileItReads = () => stop.abort(reason);
    const collecting = collectFiles([memory.uri('/top')], () => rules, stop.signal, stopWhileItReads);
    await assert.rejects(collecting, reason);
    await assert.rejects(
      collectFiles([memory.uri('/top')], () => rules, stop.signal),
      reason,
    );
  });

  /** Writes files below the folder; what follows a colon is the content. */
  function write(...named: readonly string[]): void {
    for (const each of named) {
      const [, name = '', content] = /^([^:]*):?(.*)$/s.exec(each) ?? [];
      mkdirSync(dirname(join(files.folder, name)), { recursive: true });
      writeFileSync(join(files.folder, name), content || 'text');
    }
  }

  /** Beside the workspace: the temporary folder of a test's window is in it. */
  function folderOutside(): string {
    return mkdtempSync(join(dirname(dirname(files.folder)), 'di-outside-'));
  }

  function link(name: string, target: string): void {
    symlinkSync(target, join(files.folder, name));
  }

  async function collect(chosen: readonly string[], by = rules) {
    const uris = chosen.map((name) => Uri.file(join(files.folder, name)));
    const { files: found, ...leftOut } = await collectFiles(uris, () => by, never);
    const name = (uri: Uri) => uri.fsPath.slice(files.folder.length + 1);
    return {
      found,
      names: found.map(({ uri }) => name(uri)),
      sensitive: found.filter(({ isSensitive }) => isSensitive).map(({ uri }) => name(uri)),
      outside: found.flatMap((file) => (file.outside === undefined ? [] : [[name(file.uri), file.outside]])),
      unreadable: leftOut.leftOut.flatMap(({ uri, reason }) => (reason === 'unreadable' ? [name(uri)] : [])),
      ...leftOut,
    };
  }
});

function paths(found: readonly { readonly uri: Uri }[]): string[] {
  return found.map(({ uri }) => uri.path);
}
