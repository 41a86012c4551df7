import assert from 'node:assert/strict';
import { type CodeLens, commands, type DocumentLink, type TextDocument, window } from 'vscode';
import { DetailsDocuments, formatDetails, positionLinks } from '../../../../src/editor/tasksView/details';
import { capitalized } from '../../../../src/editor/wording/states';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { FileRow, State } from '../../../../src/tasks/store/model';
import { MANUALS } from '../../../unit/tasks/store/storeRequests';
import { hostileTexts } from '../../hostileTexts';
import { closeEditors } from '../../settled';
import { until } from '../../until';
import { WorkspaceFiles } from '../../workspaceFiles';
import { beforeEachOpenedStore, opened, rejected, unconfirmed, uploaded } from './openedStore';

const SCHEME = 'dataset-import-details-test';

describe("A row's details", () => {
  const files = new WorkspaceFiles('details');
  let details: DetailsDocuments;

  afterEach(async () => {
    await closeEditors();
    details.dispose();
  });
  beforeEachOpenedStore();
  beforeEach(() => {
    details = new DetailsDocuments(opened.store, () => ({ nowMs: Date.now() }), SCHEME);
  });
  after(() => files.remove());

  async function show({ id }: FileRow): Promise<TextDocument> {
    await details.show(id);
    // An earlier test may have left a document with the same ID open.
    const [editor = assert.fail()] = window.visibleTextEditors.filter(({ document: { uri } }) => uri.scheme === SCHEME);
    return editor.document;
  }

  async function textOf({ id }: FileRow): Promise<string> {
    const stored = (await opened.store.details(id)) ?? assert.fail();
    return formatDetails(stored, { nowMs: Date.now() });
  }

  it('say how much was sent if the connection was lost, but not if the window was closed', async () => {
    await opened.import({ 'a.md': unconfirmed, 'b.md': { ...unconfirmed, cause: { name: 'WindowClosed' } } });
    assert.match(await textOf(await opened.row('a.md')), /Sent: 5 bytes of 12 bytes\./);
    assert.doesNotMatch(await textOf(await opened.row('b.md')), /Sent:/);
  });

  it("begin with the state and the reason, and end with the service's responses", async () => {
    await opened.import({ 'a.md': unconfirmed });
    await opened.import({ 'a.md': uploaded('T1') });
    await opened.reportRow(await opened.row('a.md'), 'running', 'INDEXING');
    await opened.reportRow(await opened.row('a.md'), 'failed', 'BAD', 'Torn page');
    const text = await textOf(await opened.row('a.md'));
    assert.deepEqual(text.split('\n').slice(0, 2), ['a.md', 'Failed · Torn page']);
    const found = /\n\nTimeline\n([\s\S]*?)\n\nTask\n/.exec(text)?.[1]?.split('\n') ?? [];
    const events = found.map((line) => line.trim().replace(/^.*? {2,}/, ''));
    assert.deepEqual(events, [
      'Queued.',
      'The upload started.',
      'Unconfirmed · import.example closed the connection before it responded. The file may be too large for the service. · Sent: 5 bytes of 12 bytes.',
      'Queued again.',
      'The upload started.',
      'Uploaded',
      "Status check: running ('INDEXING')",
      "Status check: failed ('BAD')",
    ]);
    assert.match(
      text,
      /\n {2}Dataset +Manuals \(https:\/\/import\.example\)\n {2}Task ID +T1\n {2}Status +failed \('BAD'\)\n/,
    );
    assert.match(text, /\nResponse to the Import\n {2}\{\n {4}"code": "0",\n[\s\S]*"taskId": "T1"/);
    assert.match(text, /\nResponse to the Status Check\n {2}\{\n[\s\S]*"status": "BAD"/);
  });

  it('list multiple tasks, each with its own state', async () => {
    const [row = assert.fail()] = await opened.import({ 'a.md': uploaded('T1', 'T2') });
    await opened.reportRow(row, 'failed', 'BAD', 'Torn page');
    const text = await textOf(await opened.row('a.md'));
    assert.match(text, /Task ID +T1\n {2}Status +failed \('BAD'\)\n {2}Message +Torn page\n/);
    assert.match(text, /Task ID +T2\n {2}Status +no status yet\n/);
  });

  it('include a timeline that shows automatic retries and how the user resolved an unconfirmed import', async () => {
    const rows = await opened.import({
      'a.md': unconfirmed,
      'b.md': undefined,
      'c.md': unconfirmed,
      'd.md': uploaded(),
    });
    const [a, b, c, d] = rows;
    assert.ok(a && b && c && d);
    await opened.store.markUploaded({ files: [a.id] });
    const attached = [c, d].map((row) => ({ import: row.import.id, ids: [typedTaskId(row.name, 'string')] }));
    await opened.store.attach({ rows: attached, byMapping: false });
    const attempt = 'W again';
    await opened.store.begin([{ import: b.import.id, attempt }]);
    const answer = { name: 'Rejected', by: 'status', status: 429, excerpt: '' };
    await opened.store.putBack([{ attempt, tried: true, answer }]);
    assert.match(await textOf(a), /Queued\.\n[\s\S]* Unconfirmed\n[\s\S]* Marked as uploaded\n/);
    assert.match(await textOf(b), / Put back into the queue: HTTP 429\n/);
    assert.match(await textOf(c), / Unconfirmed\n[\s\S]* Task ID attached: c\.md\n/);
    assert.match(
      await textOf(d),
      / The upload ended without a recognized task ID\.\n[\s\S]* Task ID attached: d\.md\n/,
    );
  });

  it("include a renamed file's earlier name in the timeline", async () => {
    const [row = assert.fail()] = await opened.import({ 'old.md': uploaded('T1') });
    const to = { path: '/notes/new.md', name: 'new.md', relativePath: 'notes/new.md' };
    await opened.store.move({ destination: MANUALS, files: [{ from: '/notes/old.md', ...to }] });
    const text = await textOf(row);
    assert.match(text, /\n {2}Path +\/notes\/new\.md\n/);
    assert.match(text, / Renamed\. The file was called 'notes\/old\.md'\.\n/);
  });

  it('turn line numbers in messages from the service into links to the file, and offer next steps', async () => {
    const uri = files.write('lines.csv', 'a;b\n'.repeat(100));
    const facts = { path: uri.fsPath };
    const [row] = await opened.import({ 'lines.csv': rejected('Torn quote in line 88, column 3') }, { facts });
    assert.ok(row);
    const document = await show(row);
    const links = await commands.executeCommand<DocumentLink[]>('vscode.executeLinkProvider', document.uri);
    const [link = assert.fail()] = links.filter(({ target }) => target?.path === 'datasetImport.openSourceFile');
    assert.equal(document.getText(link.range), 'line 88, column 3');
    assert.deepEqual(JSON.parse(link.target?.query ?? ''), [{ file: row.id, line: 88, column: 3 }]);
    assert.equal(link.tooltip, 'Open File at Line 88, Column 3');
    assert.deepEqual(await stepsOf(document), ['Import Again', 'Edit Request…', 'Set Access Key…', 'Open Source File']);
  });

  it('are updated while they are open, and say so if the row has been removed from the list', async () => {
    const [row = assert.fail()] = await opened.import({ 'a.md': uploaded('T1') });
    const document = await show(row);
    assert.deepEqual(details.shown, [row.id]);
    await opened.reportRow(row, 'succeeded', 'DONE');
    details.refresh(new Set([row.id]));
    await until('the new state', () => document.getText().startsWith('a.md\nSucceeded\n'));
    await opened.store.remove({});
    details.refresh(new Set([row.id + 1]));
    assert.match(document.getText(), /Succeeded/);
    details.refresh();
    await until('the end', () => document.getText() === 'This task is no longer in the list.\n');
    assert.deepEqual(await stepsOf(document), []);
  });

  it('show messages from services on one line, without invisible characters', async () => {
    for (const [index, hostile] of hostileTexts.entries()) {
      const [row] = await opened.import({ [`${index}.md`]: rejected(hostile) }, { facts: { name: hostile } });
      assert.ok(row);
      const lines = (await textOf(row)).split('\n');
      assert.ok(lines.slice(2, 4).includes('Timeline'), lines.slice(0, 4).join('\n'));
      assert.doesNotMatch(lines.join(''), /[\u202e\u200b\r]/);
    }
  });

  const linksIn = (text: string, state: State) =>
    positionLinks(`a\n${capitalized(state)} · ${text}\n\n`, { id: 7, path: '/a', state } as FileRow);

  const positions: readonly (readonly [text: string, line: number, column: number])[] = [
    ['Line 3, column 48 is not UTF-8', 3, 48],
    ['line: 88', 88, 1],
    ['line no. 88:5', 88, 5],
    ['"line":7', 7, 1],
    ['row 12 has too few cells', 12, 1],
    ['第 88 行，第 5 列', 88, 5],
    ['错误在第 9 行', 9, 1],
  ];
  for (const [text, line, column] of positions)
    it(`link the text "${text}" to line ${line}, column ${column}`, () => {
      const [link] = linksIn(text, 'failed');
      assert.deepEqual(JSON.parse(link?.target?.query ?? '[]'), [{ file: 7, line, column }]);
    });

  it('contain no links for text that only resembles a line number, or if the file neither failed nor was rejected', () => {
    for (const text of ['deadline 88', 'line 1.5', 'line 1234567890123', 'online 3', 'line 3px'])
      assert.deepEqual(linksIn(text, 'failed'), [], text);
    assert.deepEqual(linksIn('status check failed: line 3', 'running'), []);
  });
});

async function stepsOf(document: TextDocument): Promise<(string | undefined)[]> {
  const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
  return lenses.map(({ command, range }) => {
    assert.equal(document.lineAt(range.start).text, '');
    return command?.title;
  });
}
