import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { NotebookCellData, NotebookCellKind, NotebookEdit, Position, Uri, WorkspaceEdit, workspace } from 'vscode';
import { confirmUnsaved } from '../../../../src/editor/importing/unsavedFiles';
import { closeEditors } from '../../settled';
import { WorkspaceFiles } from '../../workspaceFiles';

// In notebook format 4.5 or later, VS Code adds IDs to new cells after a short delay, possibly while saving.
const notebook = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 4 });

const pathsOf = (...uris: readonly Uri[]) => uris.map(({ fsPath }) => fsPath);

describe('Files with unsaved changes', () => {
  let files: WorkspaceFiles;

  before(() => {
    files = new WorkspaceFiles('unsaved');
  });

  afterEach(closeEditors);
  after(() => files.remove());

  it('are saved before an import if the settings say so', async () => {
    const uris = [files.write('a.txt', 'as on disk'), files.write('a.ipynb', notebook)] as const;
    const documents = [await changedText(uris[0]), await changedNotebook(uris[1])];
    assert.equal(await confirmUnsaved(pathsOf(...uris), 'save'), true);
    for (const { isDirty, uri } of documents) {
      assert.equal(isDirty, false);
      assert.match(readFileSync(uri.fsPath, 'utf8'), /changed/);
    }
  });

  it('are saved even if the editor shows them through a link', async () => {
    const target = files.write('target.txt', 'as on disk');
    const link = Uri.joinPath(target, '../link.txt');
    symlinkSync(target.fsPath, link.fsPath);
    const { uri } = await changedText(link);
    assert.equal(await confirmUnsaved(pathsOf(target), 'save'), true);
    assert.match(readFileSync(uri.fsPath, 'utf8'), /changed/);
  });

  it('stay unsaved if the settings say so, or if they are not being imported', async () => {
    const uris = [files.write('b.txt', 'as on disk'), files.write('b.ipynb', notebook)] as const;
    const [text, cells] = uris;
    const documents = [await changedText(text), await changedNotebook(cells)];
    assert.equal(await confirmUnsaved(pathsOf(...uris), 'asOnDisk'), true);
    assert.equal(await confirmUnsaved(pathsOf(files.write('c.txt', 'c')), 'save'), true);
    const areDirty = documents.map(({ isDirty }) => isDirty);
    assert.deepEqual(areDirty, [true, true]);
    assert.equal(readFileSync(cells.fsPath, 'utf8'), notebook);
  });
});

async function changedText(uri: Uri) {
  const edit = new WorkspaceEdit();
  edit.insert(uri, new Position(0, 0), 'changed ');
  const document = await workspace.openTextDocument(uri);
  assert.ok(await workspace.applyEdit(edit));
  assert.ok(document.isDirty);
  return document;
}

async function changedNotebook(uri: Uri) {
  const edit = new WorkspaceEdit();
  const cell = new NotebookCellData(NotebookCellKind.Markup, 'changed', 'markdown');
  edit.set(uri, [NotebookEdit.insertCells(0, [cell])]);
  const document = await workspace.openNotebookDocument(uri);
  assert.ok(await workspace.applyEdit(edit));
  assert.ok(document.isDirty);
  return document;
}
