import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { FileType, Uri } from 'vscode';
import type { Candidate } from '../../../../src/editor/importing/candidate';
import { findFiles } from '../../../../src/editor/importing/collect';
import { fileRules } from '../../../../src/editor/platform/settings';
import type { FileRules } from '../../../../src/files/fileRules';
import { WorkspaceFiles } from '../../workspaceFiles';
import { MemoryFiles } from './memoryFiles';

const never = new AbortController().signal;

describe('The file search', () => {
  let files: WorkspaceFiles;
  let rules: FileRules;

  beforeEach(() => {
    files = new WorkspaceFiles('collected');
    rules = fileRules();
  });

  afterEach(() => files.remove());

  it('finds the text files in a folder and its subfolders, folder by folder and in natural order', async () => {
    write('10.txt', '9.txt', 'a/c.md', 'a/b/d.csv', 'a-b.txt', 'image.png', 'a/program');
    const { names, skipped } = await find(['']);
    assert.deepEqual(names, ['9.txt', '10.txt', 'a-b.txt', 'a/c.md', 'a/b/d.csv']);
    assert.deepEqual(skipped, ['a/program: extension', 'image.png: extension']);
  });

  it('includes every chosen file, even if it is missing or would otherwise be excluded', async () => {
    write('.gitignore:*.txt', 'node_modules/a.js', 'ignored.txt', 'program');
    const chosen = ['program', 'node_modules/a.js', 'ignored.txt', 'missing.txt'];
    assert.deepEqual((await find(chosen)).names.toSorted(), chosen.toSorted());
  });

  it('finds a file only once, even if the user chose both the file and its folder', async () => {
    write('a/b/c.txt', 'a/d.bin', '.gitignore:a/b');
    const { names, skipped } = await find(['', 'a', 'a', 'a/b', 'a/b/c.txt', 'a/d.bin']);
    assert.deepEqual([names, skipped], [['a/d.bin', 'a/b/c.txt'], ['.gitignore: extension']]);
  });

  it('gives files outside the workspace short relative paths', async () => {
    const elsewhere = mkdtempSync(join(dirname(files.folder), '..', 'di-elsewhere-'));
    const below = (name: string) => relative(files.folder, join(elsewhere, name));
    for (const folder of ['one', 'two', 'three']) {
      mkdirSync(join(elsewhere, folder, 'docs'), { recursive: true });
      for (const name of ['README.md', 'docs/README.md']) writeFileSync(join(elsewhere, folder, name), 'text');
    }
    const { relativePaths } = await find(['one', 'two', 'one/docs/README.md', 'three/README.md'].map(below));
    rmSync(elsewhere, { recursive: true });
    assert.deepEqual(relativePaths.toSorted(), [
      'one/README.md',
      'one/docs/README.md',
      'three/README.md',
      'two/README.md',
      'two/docs/README.md',
    ]);
  });

  it('matches globs against paths relative to the workspace folder', async () => {
    write('a/b.rst', 'a/c.txt', 'd.tmp.txt', 'old/e.txt', 'node_modules/f.txt');
    const excluding = await find([''], { ...rules, exclude: ['*.tmp.txt', 'collected/old'] });
    assert.deepEqual(excluding.names, ['a/b.rst', 'a/c.txt', 'node_modules/f.txt']);
    assert.deepEqual(excluding.skipped, ['d.tmp.txt: excluded', 'old: excluded']);
    const including = await find(['a', 'old'], { ...rules, include: ['collected/*/*.rst', '/e.txt'] });
    assert.deepEqual(including.names, ['a/b.rst']);
  });

  it('applies .gitignore files from the folder, its subfolders and its parent folders, and the deepest one wins', async () => {
    write('.gitignore:*.log\n/c/build/', 'c/.gitignore:!keep.log\nx.txt', 'c/d/.gitignore:keep.log\n!x.txt');
    write('c/a.log', 'c/keep.log', 'c/x.txt', 'c/build/y.txt', 'c/d/keep.log', 'c/d/x.txt', 'c/d/build/z.txt');
    const { names } = await find(['c'], { ...rules, endings: [...rules.endings, '.log'] });
    assert.deepEqual(names, ['c/keep.log', 'c/d/x.txt', 'c/d/build/z.txt']);
  });

  it('finds ignored files if .gitignore support is turned off in the settings', async () => {
    write('.gitignore:*', 'a.txt', 'b/c.txt');
    assert.deepEqual((await find([''])).names, []);
    assert.deepEqual((await find([''], { ...rules, useIgnoreFiles: false })).names, ['a.txt', 'b/c.txt']);
  });

  it('finds the files in an ignored folder if that folder was chosen', async () => {
    write('.gitignore:out', 'out/a.txt', 'out/.gitignore:b.txt', 'out/b.txt', 'out/deep/c.txt', 'out/deep/b.txt');
    assert.deepEqual((await find(['out'])).names, ['out/a.txt', 'out/deep/c.txt']);
    assert.deepEqual((await find(['out/deep'])).names, ['out/deep/c.txt']);
    assert.deepEqual((await find([''])).names, []);
  });

  it('never looks inside .git folders', async () => {
    write('.git/a.txt', 'b/.git/a.txt', 'b/a.txt');
    assert.deepEqual((await find(['', '.git'])).names, ['b/a.txt']);
  });

  it('flags files that may contain secrets, whether the user chose them or the search found them', async () => {
    write('.env', 'prod.env', 'key.pem', '.ssh/notes.txt', 'a.txt', 'ignored/.ssh/b.txt', '.gitignore:ignored');
    const chosen = await find(['', '.env']);
    assert.deepEqual(chosen.names, ['.env', 'a.txt', '.ssh/notes.txt']);
    assert.deepEqual(chosen.sensitive, ['.env', '.ssh/notes.txt']);
    const all = await find([''], { ...rules, include: ['**'] });
    assert.deepEqual(all.sensitive, ['.env', 'key.pem', 'prod.env', '.ssh/notes.txt']);
  });

  it('flags files that may contain secrets even if they are reached through links', async () => {
    write('.ssh/config', 'server.pem', 'docs/a.txt');
    link('docs/readme.md', '../server.pem');
    link('secret', '.ssh');
    const { names, sensitive } = await find(['docs', 'secret/config', 'secret'], { ...rules, include: ['**'] });
    assert.deepEqual(names, ['docs/a.txt', 'docs/readme.md', 'secret/config']);
    assert.deepEqual(sensitive, ['docs/readme.md', 'secret/config']);
    assert.deepEqual((await find(['secret'], { ...rules, include: ['**'] })).sensitive, ['secret/config']);
  });

  it('flags links that point outside the workspace, whether the user chose them or the search found them', async () => {
    const outside = folderOutside();
    mkdirSync(join(outside, 'docs'));
    for (const name of ['diary.txt', 'docs/a.txt']) writeFileSync(join(outside, name), 'x');
    write('a/b.txt', 'c.txt');
    link('a/inside.txt', '../c.txt');
    link('a/notes.txt', join(outside, 'diary.txt'));
    link('linked', join(outside, 'docs'));
    const target = realpathSync(outside);
    const found = [await find(['a']), await find(['a/notes.txt']), await find(['linked'])];
    assert.deepEqual(
      found.flatMap((one) => one.outside),
      [
        ['a/notes.txt', join(target, 'diary.txt')],
        ['a/notes.txt', join(target, 'diary.txt')],
        ['linked/a.txt', join(target, 'docs/a.txt')],
      ],
    );
    assert.deepEqual((await find(['a/inside.txt', 'c.txt'])).outside, []);
    rmSync(outside, { recursive: true });
  });

  it('lists a link instead of its known target, unless the target is in the chosen folders, too', async () => {
    const outside = realpathSync(folderOutside());
    writeFileSync(join(outside, 'diary.txt'), 'x');
    write('a/b.txt', 'c.txt');
    link('a/diary.txt', join(outside, 'diary.txt'));
    link('a/d.txt', 'b.txt');
    link('a/e.txt', '../c.txt');
    const known = [join(outside, 'diary.txt'), uri('a/b.txt').fsPath, uri('c.txt').fsPath];
    const found = await find(['a'], rules, known);
    rmSync(outside, { recursive: true });
    assert.deepEqual(found.names, ['a/b.txt', 'a/d.txt', 'a/diary.txt', 'a/e.txt']);
    assert.deepEqual(found.outside, [['a/diary.txt', known[0]]]);
  });

  it('follows links to files but not to folders', async () => {
    write('a/b.txt', 'a/c/d.txt');
    link('a/c/up', '..');
    link('a/self', '.');
    link('a/e.txt', 'b.txt');
    link('a/nowhere.txt', 'missing');
    link('a/nothing.bin', 'missing');
    const { names, skipped } = await find(['a']);
    assert.deepEqual(names, ['a/b.txt', 'a/e.txt', 'a/c/d.txt']);
    assert.deepEqual(skipped, [
      'a/c/up: linkedFolder',
      'a/nothing.bin: extension',
      'a/nowhere.txt: brokenLink',
      'a/self: linkedFolder',
    ]);
    assert.deepEqual((await find(['a/c/up'])).names, ['a/c/up/b.txt', 'a/c/up/e.txt', 'a/c/up/c/d.txt']);
  });

  it('applies the .gitignore file in a folder outside the workspace', async () => {
    const outside = folderOutside();
    for (const name of ['a.txt', 'b.txt', '.gitignore']) writeFileSync(join(outside, name), '/b.txt');
    const { candidates } = await findFiles({ uris: [Uri.file(outside)] }, () => rules, never);
    rmSync(outside, { recursive: true });
    const names = candidates.map(({ name }) => name);
    assert.deepEqual(names, ['a.txt']);
  });

  it("applies each folder's include patterns only to files in that folder", async () => {
    using memory = new MemoryFiles({ '/one/a.txt': '', '/one/b.rst': '', '/two/c.txt': '', '/two/below/d.rst': '' });
    const rulesOf = (folder?: Uri) => ({ ...rules, include: folder?.path === '/two' ? ['*.rst'] : ['*.txt'] });
    const uris = [memory.uri('/one'), memory.uri('/two')];
    assert.deepEqual(pathsOf((await findFiles({ uris }, rulesOf, never)).candidates), [
      '/one/a.txt',
      '/two/below/d.rst',
    ]);
  });

  it('finds 130,000 files in one folder', async () => {
    using memory = new MemoryFiles({ '/top/a.txt': '' });
    memory.more.set(
      '/top',
      Array.from({ length: 130_000 }, (_, index) => [`${index}.txt`, FileType.File]),
    );
    const { candidates } = await findFiles({ uris: [memory.uri('/top')] }, () => rules, never);
    assert.equal(candidates.length, 130_001);
  });

  it('continues if a folder or its .gitignore file cannot be read, and reports the folder', async () => {
    using memory = new MemoryFiles({
      '/top/a.txt': '',
      '/top/shut/b.txt': '',
      '/top/half/c.txt': '',
      '/top/half/.gitignore': '',
    });
    memory.unreadable.add('/top/shut').add('/top/half/.gitignore');
    const { candidates, skipped } = await findFiles({ uris: [memory.uri('/top')] }, () => rules, never);
    assert.deepEqual(pathsOf(candidates), ['/top/a.txt']);
    assert.deepEqual(skipped.map(({ uri, reason }) => `${uri.path}: ${reason}`).toSorted(), [
      '/top/half: unreadable',
      '/top/shut: unreadable',
    ]);
  });

  it("ignores invalid file names reported by another extension's file system provider", async () => {
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
    const uris = [memory.uri('/top'), memory.uri('/top/.env')];
    const { candidates } = await findFiles({ uris }, () => rules, never);
    assert.deepEqual(pathsOf(candidates).toSorted(), ['/top/.env', '/top/a.txt', '/top/b/c.md']);
  });

  it('stops when the user cancels it', async () => {
    using memory = new MemoryFiles({ '/top/a.txt': '', '/top/below/b.txt': '' });
    const stop = new AbortController();
    const reason = new Error('canceled');
    const uris = [memory.uri('/top')];
    const cancelWhileReading = () => stop.abort(reason);
    await assert.rejects(
      findFiles({ uris }, () => rules, stop.signal, cancelWhileReading),
      reason,
    );
    await assert.rejects(
      findFiles({ uris }, () => rules, stop.signal),
      reason,
    );
  });

  /** Writes files to the folder. A name may be followed by a colon and the file's content. */
  function write(...named: readonly string[]): void {
    for (const each of named) {
      const [, name = '', content] = /^([^:]*):?(.*)$/s.exec(each) ?? [];
      mkdirSync(dirname(join(files.folder, name)), { recursive: true });
      writeFileSync(join(files.folder, name), content || 'text');
    }
  }

  /** A new folder next to the workspace, because the tests' temporary folder is inside the workspace. */
  function folderOutside(): string {
    return mkdtempSync(join(dirname(dirname(files.folder)), 'di-outside-'));
  }

  function link(name: string, target: string): void {
    symlinkSync(target, join(files.folder, name));
  }

  function uri(name: string): Uri {
    return Uri.file(join(files.folder, name));
  }

  async function find(chosen: readonly string[], by = rules, known: readonly string[] = []) {
    const { candidates, skipped, skippedCount } = await findFiles({ uris: chosen.map(uri), known }, () => by, never);
    assert.equal(skippedCount, skipped.length);
    const name = (uri: Uri | undefined) => uri?.fsPath.slice(files.folder.length + 1) ?? '';
    return {
      names: candidates.map(({ uri }) => name(uri)),
      relativePaths: candidates.map(({ relativePath }) => relativePath),
      sensitive: candidates.filter(({ care }) => care.includes('may contain secrets')).map(({ uri }) => name(uri)),
      outside: candidates.flatMap(({ uri, care }) =>
        care
          .filter((words) => words.startsWith('stored in '))
          .map((words) => [name(uri), words.slice('stored in '.length)]),
      ),
      skipped: skipped.map(({ uri, reason }) => `${name(uri)}: ${reason}`).toSorted(),
    };
  }
});

function pathsOf(candidates: readonly Candidate[]): (string | undefined)[] {
  return candidates.map(({ uri }) => uri?.path);
}
