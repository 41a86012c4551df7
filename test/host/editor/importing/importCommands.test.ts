import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  commands,
  NotebookCellData,
  NotebookCellKind,
  NotebookData,
  NotebookRange,
  Position,
  Selection,
  Uri,
  window,
  workspace,
} from 'vscode';
import { COMMANDS } from '../../../../src/editor/commands';
import {
  importChangesOfBatch,
  importChangesOfDataset,
  importPicked,
  importSamples,
  importSelection,
  importToDataset,
  type pickFiles,
} from '../../../../src/editor/importing/importCommands';
import { importFiles } from '../../../../src/editor/importing/importFiles';
import { window as progress } from '../../../../src/editor/platform/window';
import { closeEditors } from '../../settled';
import { until } from '../../until';
import { setUserSetting } from '../../userSettings';
import { MemoryFiles } from './memoryFiles';
import { beforeEachUploads, rowsOf, uploads } from './uploads';

const NOTEBOOK = JSON.stringify({
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Title'] },
    { cell_type: 'markdown', metadata: {}, source: ['Second cell'] },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 4,
});

type Services = Parameters<typeof COMMANDS.importChanges>[0];

describe('In VS Code,', () => {
  afterEach(closeEditors);
  beforeEachUploads('entries');

  it('Import to Dataset… imports the clicked files, or the file or notebook in the active editor if nothing was clicked', async () => {
    await importToDataset(uploads.services, [uploads.write('a.txt')]);
    await window.showTextDocument(uploads.write('b.txt'));
    await importToDataset(uploads.services, []);
    await window.showNotebookDocument(await workspace.openNotebookDocument(uploads.write('c.ipynb', NOTEBOOK)));
    await importToDataset(uploads.services, []);
    assert.deepEqual(await uploads.queued(), ['a.txt', 'b.txt', 'c.ipynb']);
  });

  it('Import to Dataset… asks the user to save an untitled notebook first', async () => {
    const cell = new NotebookCellData(NotebookCellKind.Markup, '# Title', 'markdown');
    const notebook = await workspace.openNotebookDocument('jupyter-notebook', new NotebookData([cell]));
    await window.showNotebookDocument(notebook);
    const message = /'Untitled-\d+\.ipynb' is not a file\. Save it as a file to import it\./;
    await assert.rejects(importToDataset(uploads.services, [notebook.uri]), message);
  });

  it('Import to Dataset… imports the focused side of a diff, and adds the commit to the name of an old version', async () => {
    const uri = uploads.write('a.md', 'now');
    const provider = { provideTextDocumentContent: () => 'before' };
    const registered = workspace.registerTextDocumentContentProvider('versions', provider);
    const version = uri.with({ scheme: 'versions', query: '{"ref":"HEAD~2"}' });
    await commands.executeCommand('vscode.diff', version, uri);
    await importToDataset(uploads.services, []);
    assert.deepEqual([await uploads.queued(), uploads.asked], [['a.md'], []]);
    await commands.executeCommand('workbench.action.compareEditor.focusSecondarySide');
    await until('the other side', () => window.activeTextEditor?.document.uri.scheme === 'versions');
    await importToDataset(uploads.services, []);
    assert.deepEqual([uploads.asked, texts()], [['a (HEAD 2).md'], ['before']]);
    // An editor's context menu passes the document's URI to the command.
    await importToDataset(uploads.services, [version]);
    assert.deepEqual(uploads.asked.slice(0, 2), ['a (HEAD 2).md', 'a (HEAD 2).md']);
    registered.dispose();
  });

  it("Import to Dataset… suggests an untitled document's first line as its name", async () => {
    const content = '\n## Meeting: *Monday* / notes\ntext';
    const document = await workspace.openTextDocument({ content, language: 'markdown' });
    await window.showTextDocument(document);
    uploads.typed.push(undefined);
    await importToDataset(uploads.services, []);
    assert.deepEqual([uploads.asked, await uploads.queued()], [['Meeting Monday notes.md'], []]);
    await importToDataset(uploads.services, [document.uri]);
    assert.deepEqual([await uploads.queued(), texts()], [['Meeting Monday notes.md'], [content]]);
    const [row] = await uploads.rows();
    assert.equal(row?.path, null);
  });

  it('Import Selection… suggests a name with line numbers', async () => {
    const editor = await window.showTextDocument(uploads.write('a.md', 'one\ntwo\nthree\n'));
    await assert.rejects(importSelection(uploads.services), /Select the text to import in an editor first\./);
    editor.selections = [new Selection(new Position(1, 0), new Position(3, 0))];
    await importSelection(uploads.services);
    editor.selections = [new Selection(0, 1, 0, 2)];
    await importSelection(uploads.services);
    editor.selections = [new Selection(2, 0, 2, 5), new Selection(0, 0, 0, 3)];
    uploads.typed.push('mine.md');
    await importSelection(uploads.services);
    assert.deepEqual(uploads.asked, ['a, lines 2-3.md', 'a, line 1.md', 'a, selections.md']);
    assert.deepEqual(await uploads.queued(), ['a, line 1.md', 'a, lines 2-3.md', 'mine.md']);
    assert.deepEqual(texts(), ['n', 'one\nthree', 'two\nthree\n']);
  });

  it('Import Selection… names a notebook cell after the notebook and the cell number, and imports multiple selected cells as one text, in order', async () => {
    const notebook = await workspace.openNotebookDocument(uploads.write('a.ipynb', NOTEBOOK));
    await window.showNotebookDocument(notebook, { selections: [new NotebookRange(1, 2)] });
    await commands.executeCommand('notebook.cell.edit');
    await until('the cell', () => window.activeTextEditor?.document === notebook.cellAt(1).document);
    await importSelection(uploads.services);
    assert.deepEqual([await uploads.queued(), texts()], [['a, cell 2.md'], ['Second cell']]);
    // The selected cell is imported, even though the active text editor is still in the second cell.
    assert.ok(window.activeNotebookEditor);
    window.activeNotebookEditor.selection = new NotebookRange(0, 1);
    await importSelection(uploads.services);
    assert.deepEqual(await uploads.queued(), ['a, cell 1.md', 'a, cell 2.md']);
    window.activeNotebookEditor.selections = [new NotebookRange(1, 2), new NotebookRange(0, 1)];
    await importSelection(uploads.services);
    assert.ok((await uploads.queued()).includes('a, selections.md'));
    assert.deepEqual(texts(), ['# Title', '# Title\n\nSecond cell', 'Second cell']);
  });

  it('Import Selection… asks for confirmation if the text may contain secrets', async () => {
    const editor = await window.showTextDocument(uploads.write('.env', 'KEY=1'));
    editor.selections = [new Selection(0, 0, 0, 5)];
    uploads.answers.push(false);
    await importSelection(uploads.services);
    assert.match(uploads.asked.at(-1) ?? '', /Needs care: 5 bytes · may contain secrets/);
    assert.deepEqual([await uploads.queued(), texts()], [[], []]);
  });

  it("Import to Dataset… refuses to import the extension's own pages", async () => {
    const own = Uri.parse('dataset-import-details:/task/1');
    await assert.rejects(importToDataset(uploads.services, [own]), /is a page of Dataset Import, not a file/);
  });

  it('Import Files… imports the files that the user picks, and does nothing if the user picks none', async () => {
    const dataset = uploads.services.datasets.find('Other');
    const uri = uploads.write('a.txt');
    assert.equal(await importPicked(uploads.services, async () => []), undefined);
    const pick: typeof pickFiles = async (name) => (name === 'Other' ? [uri] : []);
    assert.equal((await importPicked(uploads.services, pick, dataset))?.imports.length, 1);
    assert.equal((await uploads.rows())[0]?.dataset, 'Other');
  });

  it('Import Sample Files imports the files to the sandbox as a batch, without showing a list', async () => {
    for (const name of ['a.md', 'b.csv']) uploads.write(`samples/${name}`);
    const started = await importSamples(uploads.services, uploads.uri('samples'));
    const [row] = await uploads.rows();
    const [batch] = await uploads.own.store.batches([row?.batch ?? null]);
    assert.deepEqual([started?.imports.length, batch?.label, uploads.asked], [2, 'Sample files', []]);
  });

  it("Import Changes… selects a dataset's new and changed files, even if their rows were removed, and reports deleted files", async () => {
    uploads.write('docs/a.txt');
    await uploads.importAndSend(uploads.uri('docs'));
    for (const name of ['single.txt', 'deleted.txt']) await uploads.importAndSend(uploads.write(name, name));
    const dataset = uploads.services.datasets.find('Other') ?? assert.fail();
    await importFiles(uploads.services, { uris: [uploads.uri('deleted.txt')], dataset });
    await uploads.own.store.cancel({});
    uploads.write('docs/new.txt', 'new');
    uploads.write('single.txt', 'longer than before');
    rmSync(uploads.uri('deleted.txt').fsPath);
    await uploads.report('succeeded');
    await uploads.own.store.remove({});
    uploads.lists.push((list) => {
      const selected = rowsOf(list).filter((row) => row.startsWith('[x] entries'));
      const paths = selected.map((row) => row.replace(/ \(.*/, ''));
      assert.deepEqual(paths, ['[x] entries/docs/new.txt', '[x] entries/single.txt']);
      assert.match(list.placeHolder, /Deleted or renamed: entries\/deleted\.txt/);
      return 0;
    });
    // The other dataset never received the deleted file, because its import was canceled.
    uploads.picked.push('Other');
    uploads.lists.push((list) => {
      assert.equal(list.placeHolder, 'Select files to import');
      return undefined;
    });
    await importChangesOfDataset(uploads.services, uploads.services.datasets.find('Manuals'));
  });

  it('Import Changes… imports to the dataset whose group is selected in the Tasks view', async () => {
    const { datasets } = uploads.services;
    const dataset = datasets.find('Other') ?? assert.fail();
    await importFiles(uploads.services, { uris: [uploads.write('a.txt')], dataset });
    await uploads.send();
    await uploads.report('succeeded');
    uploads.write('a.txt', 'longer than before');
    const [row] = await uploads.rows();
    const services = { ...uploads.services, tasksView: { destinationOf: () => row } } as unknown as Services;
    const selection = [{ group: 'destination 1', filter: { destinations: [1] } }];
    await COMMANDS.importChanges(services, { name: 'importChanges', args: [], selection });
    const states = (await uploads.rows()).map((one) => `${one.dataset} ${one.state}`);
    assert.deepEqual(states, ['Other queued']);
  });

  it('Import Changes… does not select files that were replaced by links to files outside the workspace', async () => {
    const targets = { 'a.txt': __filename, 'b.txt': join(dirname(uploads.textsFolder), 'imports.sqlite') };
    mkdirSync(uploads.textsFolder, { recursive: true });
    writeFileSync(targets['b.txt'], 'the task database');
    for (const [name, target] of Object.entries(targets)) {
      await uploads.importAndSend(uploads.write(name, name));
      rmSync(uploads.uri(name).fsPath);
      symlinkSync(target, uploads.uri(name).fsPath);
    }
    await importChangesOfDataset(uploads.services, uploads.services.datasets.find('Manuals'));
    const messages = uploads.shown.map(({ message }) => message);
    assert.deepEqual(messages, ['Nothing was imported. Needs care: 1. Cannot be imported: 1.']);
    assert.deepEqual(await uploads.queued(), []);
  });

  it('Import Changes… applies to all selected batches, even if one of them consists of texts', async () => {
    const texts = ['a', 'b'].map((text) => ({ name: text, bytes: Buffer.from(text) }));
    await importFiles(uploads.services, { texts });
    for (const name of ['one/a.txt', 'two/a.txt']) {
      uploads.write(name, name);
      await uploads.importAndSend(uploads.uri(dirname(name)));
    }
    await uploads.report('succeeded');
    for (const name of ['one/b.txt', 'two/c.txt']) uploads.write(name, name);
    const batches = [1, 2, 3].map((batch) => ({ group: `batch ${batch}`, filter: { batch } }));
    // A dataset that was selected in the Datasets view before is left out.
    const selection = [...batches, { dataset: uploads.services.datasets.find('Other') }];
    const running = async () =>
      COMMANDS.importChanges(uploads.services as Services, { name: 'importChanges', args: [], selection });
    await assert.rejects(running, /The texts of '2 files' are not in files\./);
    assert.deepEqual(await uploads.queued(), ['b.txt', 'c.txt']);
  });

  it('Import Changes… finds changes on other file systems', async () => {
    {
      using memory = new MemoryFiles({ '/notes/a.txt': 'text', '/notes/b.txt': 'text' });
      await importFiles(uploads.services, { uris: ['/notes/a.txt', '/notes/b.txt'].map((at) => memory.uri(at)) });
    }
    await uploads.send();
    await uploads.report('succeeded');
    const importChanges = () => importChangesOfDataset(uploads.services, uploads.services.datasets.find('Manuals'));
    // The file system isn't available yet.
    await importChanges();
    assert.equal(uploads.shown[0]?.message, 'Nothing was imported. Cannot be imported: 2.');
    using _memory = new MemoryFiles({ '/notes/a.txt': 'a longer text' });
    uploads.lists.push((list) => {
      assert.equal(list.placeHolder, 'Deleted or renamed: memory-files:/notes/b.txt · Select files to import');
      return 'accepted';
    });
    await importChanges();
    assert.deepEqual([await uploads.queued(), uploads.errors], [['a.txt'], []]);
  });

  it('Import Changes… finds new and deleted files in a folder on another file system', async () => {
    {
      using memory = new MemoryFiles({ '/notes/a.txt': 'text a', '/notes/b.txt': 'text b' });
      await importFiles(uploads.services, { uris: [memory.uri('/notes')] });
    }
    await uploads.send();
    await uploads.report('succeeded');
    using memory = new MemoryFiles({ '/notes/a.txt': 'text a', '/notes/inner/c.txt': 'text c' });
    const [row] = await uploads.rows();
    await importChangesOfBatch(uploads.services, row?.batch ?? 0);
    assert.deepEqual([await uploads.queued(), uploads.shown], [['c.txt'], []]);
    assert.deepEqual(new Set((await uploads.rows()).map(({ batch }) => batch)), new Set([row?.batch]));
    await uploads.send();
    await importFiles(uploads.services, { uris: [memory.uri('/notes')], onlyChanges: true });
    assert.match(uploads.shown[0]?.message ?? '', /Deleted or renamed: memory-files:\/notes\/b\.txt$/);
  });

  it("Import Changes… imports a batch's changed files, and new files from its folder", async () => {
    uploads.write('docs/a.txt');
    await uploads.importAndSend(uploads.uri('docs'));
    // By the folder's rules, this file is skipped.
    await uploads.importAndSend(uploads.write('docs/program.exe', 'program'));
    const others = ['x.txt', 'y.txt'].map((name) => uploads.write(name, name));
    await importFiles(uploads.services, { uris: others });
    await uploads.send();
    await uploads.report('succeeded');
    const [inFolder, , chosen] = await uploads.rows();
    uploads.write('docs/b.txt', 'new');
    uploads.write('docs/program.exe', 'longer than before');
    const folder = await importChangesOfBatch(uploads.services, inFolder?.batch ?? 0);
    uploads.write('y.txt', 'longer than before');
    const files = await importChangesOfBatch(uploads.services, chosen?.batch ?? 0);
    assert.deepEqual([folder?.imports.length, files?.imports.length, files?.batch], [2, 1, chosen?.batch]);
    assert.deepEqual(await uploads.queued(), ['b.txt', 'program.exe', 'y.txt']);
    await importFiles(uploads.services, { uris: [uploads.uri('docs')], onlyChanges: true });
    assert.equal(uploads.shown.at(-1)?.message, 'There is nothing new to import to Manuals.');
    // After the folder was renamed, the files are compared one by one.
    await uploads.send();
    await uploads.report('succeeded');
    renameSync(uploads.uri('docs').fsPath, uploads.uri('handbook').fsPath);
    await importFiles(uploads.services, { uris: [uploads.uri('handbook')], onlyChanges: true });
    uploads.write('handbook/a.txt', 'a different text');
    const again = await importChangesOfBatch(uploads.services, inFolder?.batch ?? 0);
    assert.deepEqual([await uploads.queued(), again?.batch], [['a.txt'], inFolder?.batch]);
    // If the user switches to another dataset, the import isn't part of the batch.
    rmSync(uploads.uri('x.txt').fsPath);
    uploads.write('y.txt', 'a different text');
    uploads.picked.push('Other');
    uploads.lists.push(() => 0);
    const elsewhere = await importChangesOfBatch(uploads.services, chosen?.batch ?? 0);
    assert.deepEqual([elsewhere?.imports.length, elsewhere?.batch], [1, null]);
    const { datasets } = uploads.services;
    await datasets.remove(datasets.find('Manuals') ?? assert.fail());
    await datasets.add({ name: 'Manuals', baseUrl: 'https://moved.example' });
    const moved = importChangesOfBatch(uploads.services, inFolder?.batch ?? 0);
    await assert.rejects(moved, /dataset 'Manuals' has moved to moved\.example/);
  });

  it('Import Changes… in a folder finds an imported file that its rules skip, and lists deleted files', async () => {
    const programs = ['a.exe', 'b.exe'].map((name) => uploads.write(`docs/${name}`, name));
    for (const program of programs) await uploads.importAndSend(program);
    await uploads.report('succeeded');
    await setUserSetting('datasetImport.unsavedFiles', 'save');
    const editor = await window.showTextDocument(uploads.uri('docs/a.exe'));
    await editor.edit((edit) => edit.insert(new Position(0, 0), 'not saved yet '));
    const importChanges = () => importFiles(uploads.services, { uris: [uploads.uri('docs')], onlyChanges: true });
    await importChanges();
    assert.deepEqual(await uploads.queued(), ['a.exe']);
    await uploads.send();
    rmSync(uploads.uri('docs/b.exe').fsPath);
    uploads.write('docs/a.txt');
    uploads.lists.push((list) => {
      assert.match(list.placeHolder, /^Deleted or renamed: entries\/docs\/b\.exe · /);
      assert.deepEqual(rowsOf(list), ['[x] New (1 · 6 bytes)', '[x] entries/docs/a.txt (6 bytes)']);
      return undefined;
    });
    await importFiles(uploads.services, { uris: [uploads.uri('docs')], isShown: true });
    for (const name of ['a.exe', 'a.txt']) rmSync(uploads.uri(`docs/${name}`).fsPath);
    // Saving the deleted file would create it again.
    await editor.edit((edit) => edit.insert(new Position(0, 0), 'deleted, but not saved '));
    await importChanges();
    await setUserSetting('datasetImport.unsavedFiles', undefined);
    assert.equal(existsSync(uploads.uri('docs/a.exe').fsPath), false);
    const message =
      'There is nothing new to import to Manuals. Deleted or renamed: entries/docs/a.exe, entries/docs/b.exe';
    assert.equal(uploads.shown.at(-1)?.message, message);
    const { store } = uploads.services;
    for (const destination of await store.destinations(null)) await store.forget(destination);
    await assert.rejects(importChanges, { message: "There are no files to import in 'docs'." });
  });

  it('Import Changes… of a batch does not select a file that the user has removed from the list and excluded since', async () => {
    for (const name of ['a.txt', 'private.txt']) uploads.write(`docs/${name}`, name);
    await uploads.importAndSend(uploads.uri('docs'));
    await uploads.report('succeeded');
    const { id, batch } = await uploads.own.row('private.txt');
    await uploads.own.store.remove({ files: [id] });
    uploads.write('.gitignore', 'private.txt');
    uploads.write('docs/private.txt', 'changed');
    await importChangesOfBatch(uploads.services, batch ?? 0);
    assert.equal(uploads.shown.at(-1)?.message, 'Nothing was imported. Needs care: 1.');
  });

  it('Import Changes… can be canceled while the files of a batch are being looked up', async () => {
    await importFiles(uploads.services, { uris: ['a.txt', 'b.txt'].map((name) => uploads.write(name, name)) });
    const rowsAfter = async () => {
      await Promise.resolve();
      // The progress notification with the Cancel button appears after a second.
      uploads.clock.advance(1000);
      return new Promise(() => {});
    };
    const store = Object.assign(Object.create(uploads.services.store), { rowsAfter });
    const { withProgress } = progress;
    const cancel = new AbortController();
    progress.withProgress = (_title, task) => {
      const result = task(cancel.signal, () => {});
      cancel.abort();
      return result;
    };
    assert.equal(await importChangesOfBatch({ ...uploads.services, store }, 1), undefined);
    progress.withProgress = withProgress;
  });

  function texts(): string[] {
    const folder = uploads.textsFolder;
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.map((name) => readFileSync(join(folder, name), 'utf8')).sort();
  }
});
