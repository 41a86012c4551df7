import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ThemeColor, Uri } from 'vscode';
import { type DecorationPorts, Decorations } from '../../../src/editor/decorations';
import { Files } from '../../../src/tasks/sending/files';
import type { Destination } from '../../../src/tasks/store/model';
import { MANUALS } from '../../unit/tasks/store/storeRequests';
import { until } from '../until';
import { setUserSetting } from '../userSettings';
import { WorkspaceFiles } from '../workspaceFiles';
import { type Ending, OpenedStore, rejected, unconfirmed } from './tasksView/openedStore';

const FILE_PROGRAM = join(__dirname, '../../../src/tasks/sending/fileProgram.js');
const OTHER = { dataset: 'Other', origin: 'https://other.example' };
const HOUR_AGO = Date.now() / 1000 - 3600;

describe('File badges', () => {
  let opened: OpenedStore;
  let files: WorkspaceFiles;
  let reader: Files;
  let ports: DecorationPorts;
  let decorations: Decorations;
  let destinations: readonly Destination[];
  let fired: (readonly Uri[] | undefined)[];
  const errors: unknown[] = [];

  before(async () => {
    await setUserSetting('datasetImport.decorations', 'all');
    files = new WorkspaceFiles('decorated');
    reader = new Files(FILE_PROGRAM);
  });

  beforeEach(() => {
    opened = new OpenedStore();
    destinations = [MANUALS, OTHER];
    fired = [];
    ports = {
      store: opened.store,
      files: reader,
      destinations: () => destinations,
      onError: (error) => errors.push(error),
    };
    decorations = new Decorations(ports);
    decorations.onDidChangeFileDecorations((uris) => fired.push(uris));
  });

  afterEach(async () => {
    decorations.dispose();
    await opened[Symbol.asyncDispose]();
    assert.deepEqual(errors.splice(0), []);
  });

  after(async () => {
    await setUserSetting('datasetImport.decorations', undefined);
    reader.end();
    files.remove();
  });

  /** Writes a file and sets its modification time to an hour ago. */
  function write(name: string, text: string): Uri {
    const uri = files.write(name, text);
    utimesSync(uri.fsPath, HOUR_AGO, HOUR_AGO);
    return uri;
  }

  /** Imports a file with its current content. */
  async function imported(uri: Uri, ending: Ending | undefined, destination = MANUALS, seen: number | null = null) {
    const { size: sizeBytes, mtimeMs: modifiedMs } = statSync(uri.fsPath);
    const sha256 = createHash('sha256').update(readFileSync(uri.fsPath)).digest('hex');
    const content = { sizeBytes, modifiedMs, sha256 };
    const facts = { path: realpathSync(uri.fsPath), seen, ...content };
    const end = ending && { ...ending, content };
    const [row] = await opened.import({ [uri.path.split('/').at(-1) ?? '']: end }, { facts, destination });
    return row ?? assert.fail();
  }

  async function badge(uri: Uri): Promise<string | undefined> {
    const decoration = await decorations.provideFileDecoration(uri);
    if (decoration === undefined) return undefined;
    const color = decoration.color instanceof ThemeColor ? decoration.color.id : '';
    return [decoration.badge, decoration.tooltip?.replace(/ on \d.* [AP]M/, ''), color].join(' ').trim();
  }

  it("show the state of a file's upload to the default dataset, and whether the file has changed since", async () => {
    const [same, changed, failed, asked, queued, fresh] = ['same', 'changed', 'failed', 'asked', 'queued', 'new'].map(
      (name) => write(`${name}.txt`, `I am ${name}.\n`),
    ) as [Uri, Uri, Uri, Uri, Uri, Uri];
    await imported(same, { taskIds: ['t1'] });
    await imported(changed, { taskIds: ['t2'] });
    await imported(failed, rejected('No.'));
    await imported(asked, unconfirmed);
    await imported(queued, undefined);
    write('changed.txt', 'I have changed since.\n');
    assert.deepEqual(await Promise.all([same, changed, failed, asked, queued, fresh].map(badge)), [
      '✓ Uploaded to Manuals: uploaded',
      '≠ Changed since it was uploaded to Manuals',
      '! Manuals: rejected list.errorForeground',
      '? Manuals: unconfirmed list.warningForeground',
      '↑ Manuals: queued',
      undefined,
    ]);
    for (const uri of [failed, asked]) writeFileSync(uri.fsPath, 'I have changed since.\n');
    assert.deepEqual(await Promise.all([failed, asked].map(badge)), [
      '≠ Changed since its import to Manuals: rejected',
      '≠ Changed since its import to Manuals: unconfirmed',
    ]);
  });

  it('show no state for uploaded content if a later import with other content failed', async () => {
    const uri = write('reverted.txt', 'Before.\n');
    const before = await imported(uri, { taskIds: ['t'] });
    await opened.reportRow(before, 'succeeded', 'DONE');
    write('reverted.txt', 'In between.\n');
    const between = await imported(uri, rejected('No.'), MANUALS, before.import.id);
    write('reverted.txt', 'Before.\n');
    assert.equal(await badge(uri), '✓ Uploaded to Manuals');
    write('reverted.txt', 'In between.\n');
    const again = await imported(uri, { taskIds: ['u'] }, MANUALS, between.import.id);
    await opened.reportRow(again, 'failed', 'BAD');
    write('reverted.txt', 'Before.\n');
    assert.equal(await badge(uri), '✓ Uploaded to Manuals');
  });

  it('show no state for a file whose row was removed from the list', async () => {
    const uri = write('removed.txt', 'Removed.\n');
    await imported(uri, { taskIds: ['t'] });
    await opened.store.remove({});
    assert.equal(await badge(uri), '✓ Uploaded to Manuals');
  });

  it("stay the same if a small file's modification time changes but its content does not", async () => {
    const small = write('small.txt', 'x'.repeat(1024));
    const large = write('large.txt', 'x'.repeat(2 * 1024 * 1024));
    for (const uri of [small, large]) await imported(uri, { taskIds: [uri.path] });
    for (const uri of [small, large]) utimesSync(uri.fsPath, HOUR_AGO + 60, HOUR_AGO + 60);
    assert.deepEqual([await badge(small), await badge(large)], ['✓ Uploaded to Manuals: uploaded', undefined]);
  });

  it("name the dataset that a file was imported to, even if that isn't the default dataset, but only if the default dataset hasn't received the file", async () => {
    const uri = write('other.txt', 'Only there.\n');
    await imported(uri, { taskIds: ['t'] }, OTHER);
    assert.equal(await badge(uri), '✓ Uploaded to Other: uploaded');
    destinations = [MANUALS];
    assert.equal(await badge(uri), undefined);
    destinations = [MANUALS, OTHER];
    const [canceled, large] = ['canceled.txt', 'both.txt'].map((name) => write(name, 'Before.\n')) as [Uri, Uri];
    await imported(canceled, undefined);
    await opened.store.cancel({});
    for (const uri of [canceled, large]) await imported(uri, { taskIds: [uri.path] }, OTHER);
    for (const uri of [canceled, large]) writeFileSync(uri.fsPath, 'x'.repeat(2 * 1024 * 1024));
    await imported(large, { taskIds: ['t'] });
    utimesSync(large.fsPath, HOUR_AGO, HOUR_AGO);
    assert.equal(await badge(canceled), '≠ Changed since it was uploaded to Other');
    assert.equal(await badge(large), undefined);
  });

  it('are updated only for files whose rows are new or have changed', async () => {
    const [one, two, fresh] = ['1', '2', '3'].map((name) => write(`${name}.txt`, name)) as [Uri, Uri, Uri];
    const rows = [await imported(one, { taskIds: ['t1'] }), await imported(two, { taskIds: ['t2'] })];
    await Promise.all([one, two, fresh].map(badge));
    await opened.reportRow(rows[0] ?? assert.fail(), 'failed', 'FAILED', 'Bad.');
    await imported(fresh, { taskIds: ['t3'] });
    await decorations.refresh();
    await until('an event', () => fired.length > 0);
    const updated = fired.map((uris) => uris?.map(String).toSorted());
    assert.deepEqual(updated, [[String(one), String(fresh)]]);
    assert.deepEqual(await Promise.all([one, fresh].map(badge)), [
      '! Manuals: failed list.errorForeground',
      '✓ Uploaded to Manuals: uploaded',
    ]);
  });

  it('are updated after the first import to a new dataset, even if there was no dataset for a while', async () => {
    const uri = write('later.txt', 'Later.\n');
    assert.equal(await badge(uri), undefined);
    destinations = [];
    decorations.refreshAll();
    assert.equal(await badge(uri), undefined);
    destinations = [OTHER];
    await decorations.refresh();
    await until('both events', () => fired.length === 2);
    assert.deepEqual(fired, [undefined, undefined]);
  });

  it('are not updated after each change while there is no dataset', async () => {
    destinations = [];
    await decorations.refresh();
    assert.deepEqual(fired, []);
  });

  it('are all updated after a damaged database was replaced', async () => {
    const uri = write('queued.txt', 'Queued.\n');
    await imported(uri, undefined);
    assert.equal(await badge(uri), '↑ Manuals: queued');
    await using replaced = new OpenedStore();
    Object.assign(ports, { store: replaced.store });
    await decorations.refresh();
    assert.deepEqual(fired, [undefined]);
  });

  it('are updated when a file or the target of a link changes on disk, but only if VS Code has already requested them', async () => {
    const uri = write('saved.txt', 'Before.\n');
    const link = Uri.joinPath(uri, '../link.txt');
    symlinkSync(uri.fsPath, link.fsPath);
    await imported(uri, { taskIds: ['t'] });
    decorations.refreshFile(uri);
    for (const one of [uri, link]) assert.equal(await badge(one), '✓ Uploaded to Manuals: uploaded');
    assert.deepEqual(fired, []);
    files.write('saved.txt', 'Afterwards.\n');
    decorations.refreshFile(uri);
    assert.deepEqual(fired.flat().map(String), [String(uri), String(link)]);
    for (const one of [uri, link]) assert.equal(await badge(one), '≠ Changed since it was uploaded to Manuals');
  });

  it('are hidden for files outside the workspace or in .git folders, and for unchanged files if the settings say so', async () => {
    const uri = write('plain.txt', 'Plain.\n');
    await imported(uri, { taskIds: ['t'] });
    await setUserSetting('datasetImport.decorations', 'changes');
    assert.equal(await badge(uri), undefined);
    await setUserSetting('datasetImport.decorations', 'all');
    for (const other of [Uri.file('/tmp/outside.txt'), Uri.joinPath(uri, '../.git/config'), Uri.parse('untitled:x')])
      assert.equal(decorations.provideFileDecoration(other), undefined);
  });

  it('are updated immediately after the first change, then at most once per interval for all further changes', async () => {
    const uris = ['a', 'b', 'c'].map((name) => write(`${name}.txt`, name)) as [Uri, Uri, Uri];
    await Promise.all(uris.map(badge));
    const [a, b, c] = uris;
    for (const uri of [a, b, c, b]) decorations.refreshFile(uri);
    assert.deepEqual(fired.flat().map(String), [String(a)]);
    await until('the second event', () => fired.length === 2);
    assert.deepEqual(fired[1]?.map(String), [String(b), String(c)]);
    decorations.refreshAll();
    decorations.refreshFile(a);
    await until('the third event', () => fired.length === 3);
    assert.equal(fired[2], undefined);
  });
});
