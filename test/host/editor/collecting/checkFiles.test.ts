import assert from 'node:assert/strict';
import { Range, Selection, type TextDocument, type Uri, window, workspace } from 'vscode';
import { checkFiles as checkEach, checkSelection, checkTexts } from '../../../../src/editor/collecting/checkFiles';
import type { CheckedSource } from '../../../../src/tasks/sending/checkedSource';
import { Sources } from '../../../../src/tasks/sending/sources';
import { sharedFiles } from '../../../unit/tasks/sharedFiles';
import { closeEditors } from '../../settled';
import { WorkspaceFiles } from '../../workspaceFiles';
import { MemoryFiles } from './memoryFiles';

const signal = new AbortController().signal;
const sources = new Sources('', sharedFiles);
const noLimit = Number.POSITIVE_INFINITY;

describe('Looking at what is to be imported', () => {
  let files: WorkspaceFiles;
  let opened = 0;

  before(() => {
    files = new WorkspaceFiles('looking');
  });
  after(() => files.remove());
  afterEach(closeEditors);

  it('leaves a file on disk where it is, and reads no more of it than the beginning', async () => {
    const [checked] = await good([files.write('notes.txt', 'one\ntwo\n')]);
    assert.deepEqual(checked, {
      source: {
        from: 'disk',
        path: files.write('notes.txt', 'one\ntwo\n').fsPath,
        relativePath: 'looking/notes.txt',
        name: 'notes.txt',
        sizeBytes: 8,
      },
    });
  });

  it('says of each file that cannot be imported what is wrong, by its name, and passes the others', async () => {
    const gone = files.write('gone.txt', 'x');
    files.remove();
    files = new WorkspaceFiles('looking');
    const uris = [
      files.write('first.txt', 'first'),
      gone,
      files.write('empty.txt', ''),
      files.write('binary.txt', 'a\0b'),
      files.write('large.txt', 'x'.repeat(2049)),
      files.write('limit.txt', 'x'.repeat(2048)),
      gone.with({ path: files.folder }),
      files.write('utf16.txt', Buffer.from('\uFEFFtext', 'utf16le')),
    ];
    const look = await checkFiles(sources, uris.map(collected), 2048, signal);
    assert.deepEqual(
      look.good.map(({ source }) => source.name),
      ['first.txt', 'limit.txt', 'utf16.txt'],
    );
    assert.deepEqual(look.bad, [
      "'gone.txt' was not found.",
      "'empty.txt' is empty.",
      "'binary.txt' is not a text file.",
      "'large.txt' is too large (2.0 KB). The setting 'datasetImport.maxFileSizeMB' allows 2.0 KB.",
      "'looking' is not a file.",
    ]);
  });

  it('ends where it is stopped', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(checkFiles(sources, [collected(files.write('a.txt', 'a'))], noLimit, stopped), /stopped/);
  });

  it('takes a document that was never saved as it stands in the editor, and gives it an ending', async () => {
    const { uri } = await workspace.openTextDocument({ content: 'never saved 读书会' });
    const [checked] = await good([uri]);
    assert.match(checked?.source.name ?? '', /^Untitled-\d+\.txt$/);
    assert.equal(checked?.source.relativePath, checked?.source.name);
    assert.equal(text(checked), 'never saved 读书会');
  });

  it('says that a document which was never saved is empty', async () => {
    const { uri } = await workspace.openTextDocument({ content: '' });
    const { bad } = await checkFiles(sources, [collected(uri)], noLimit, signal);
    assert.match(bad.join(), /^'Untitled-\d+\.txt' is empty\.$/);
  });

  it('takes a file of a file system without a disk into memory, unless it is too large to be imported', async () => {
    using virtual = new MemoryFiles({ '/docs/a.md': '# A', '/docs/large.md': 'x'.repeat(100), '/docs/secret.md': 's' });
    virtual.unreadable.add('/docs/secret.md');
    const names = ['a.md', 'large.md', 'gone.md', 'secret.md'];
    const uris = [...names.map((name) => virtual.uri(`/docs/${name}`)), virtual.uri('/docs')];
    const look = await checkFiles(sources, uris.map(collected), 99, signal);
    assert.deepEqual(
      look.good.map((checked) => [checked.source.name, checked.source.path, text(checked)]),
      [['a.md', 'memory-files:/docs/a.md', '# A']],
    );
    assert.deepEqual(look.bad, [
      "'large.md' is too large (100 bytes). The setting 'datasetImport.maxFileSizeMB' allows 99 bytes.",
      "'gone.md' was not found.",
      "'secret.md' cannot be read. Check its permissions.",
      "'docs' is not a file.",
    ]);
    assert.ok(!virtual.read.includes('/docs/large.md'));
  });

  it('takes no more into memory than there is room for, and does not read the rest', async () => {
    using virtual = new MemoryFiles({ '/a.md': 'x'.repeat(60), '/b.md': 'x'.repeat(50), '/c.md': 'x'.repeat(40) });
    const uris = ['/a.md', '/b.md', '/c.md'].map((name) => virtual.uri(name));
    const look = await checkFiles(sources, [files.write('d.txt', 'on disk'), ...uris].map(collected), noLimit, signal, {
      maxReadBytes: 100,
    });
    assert.deepEqual(
      look.good.map(({ source }) => source.name),
      ['d.txt', 'a.md', 'c.md'],
    );
    assert.deepEqual(look.bad, [
      "'b.md' was skipped. Files that are not on disk are read into memory, 256 MB at a time. Import it after the others.",
    ]);
    assert.deepEqual(virtual.read.toSorted(), ['/a.md', '/c.md']);
  });

  it('takes texts that came without a place, and says what is wrong with the others', async () => {
    const texts = Object.entries({ 'a.txt': 'A', 'empty.txt': '', 'binary.txt': '\0', 'large.txt': 'x'.repeat(11) });
    const look = await checkTexts(
      texts.map(([name, content]) => ({ name, bytes: Buffer.from(content) })),
      10,
    );
    assert.deepEqual(
      look.good.map((checked) => [checked.source.relativePath, checked.source.path, text(checked)]),
      [['a.txt', 'a.txt', 'A']],
    );
    assert.deepEqual(look.bad, [
      "'empty.txt' is empty.",
      "'binary.txt' is not a text file.",
      "'large.txt' is too large (11 bytes). The setting 'datasetImport.maxFileSizeMB' allows 10 bytes.",
    ]);
  });

  describe('that is selected', () => {
    it('takes one part, named by its lines', async () => {
      const checked = await selected('one\ntwo\nthree\n', [1, 1, 2, 3]);
      assert.deepEqual([checked.source.name, text(checked)], ['notes, lines 2-3.txt', 'wo\nthr']);
      assert.equal(checked.source.relativePath, checked.source.name);
      const line = await selected('one\ntwo\nthree\n', [1, 0, 2, 0]);
      assert.deepEqual([line.source.name, text(line)], ['notes, line 2.txt', 'two\n']);
      assert.equal((await selected('one\n', [0, 1, 0, 2])).source.name, 'notes, line 1.txt');
    });

    it("keeps the document's ends of lines", async () => {
      const checked = await selected('one\r\ntwo\r\nthree', [0, 0, 1, 3], [2, 0, 2, 5]);
      assert.equal(text(checked), 'one\r\ntwo\r\nthree');
    });

    it('takes what was not saved yet', async () => {
      const document = await workspace.openTextDocument();
      const editor = await window.showTextDocument(document);
      await editor.edit((edit) => edit.replace(new Range(0, 0, document.lineCount, 0), 'draft'));
      const checked = await selectedIn(document, [0, 0, 0, 5]);
      assert.match(checked.source.name, /^Untitled-\d+, line 1\.txt$/);
      assert.equal(text(checked), 'draft');
    });
  });

  type Part = [startLine: number, start: number, endLine: number, end: number];

  async function selected(content: string, ...parts: Part[]): Promise<CheckedSource> {
    // VS Code does not see at once that a file which was open has another content.
    const folder = new WorkspaceFiles(`looking/${opened++}`);
    return selectedIn(await workspace.openTextDocument(folder.write('notes.txt', content)), ...parts);
  }

  async function selectedIn(document: TextDocument, ...parts: Part[]): Promise<CheckedSource> {
    const editor = await window.showTextDocument(document);
    editor.selections = parts.map((part) => new Selection(...part));
    const checked = await checkSelection(editor, noLimit);
    await closeEditors();
    return checked;
  }
});

async function good(uris: readonly Uri[]): Promise<readonly CheckedSource[]> {
  const { good, bad } = await checkFiles(sources, uris.map(collected), noLimit, signal);
  assert.deepEqual(bad, []);
  return good;
}

function collected(uri: Uri) {
  return { uri, relativePath: workspace.asRelativePath(uri, false), isSensitive: false };
}

/** The text that is to be queued. */
function text(checked: CheckedSource | undefined): string {
  assert.ok(checked && 'bytes' in checked);
  return Buffer.from(checked.bytes).toString();
}

/** What can be imported, and what is wrong with the others. */
async function checkFiles(...given: Parameters<typeof checkEach>) {
  const results = [...(await checkEach(...given)).values()];
  return {
    good: results.filter((result) => typeof result !== 'string'),
    bad: results.filter((result) => typeof result === 'string'),
  };
}
