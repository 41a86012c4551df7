import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { commands, type DocumentLink, type TextDocument, Uri, window, workspace } from 'vscode';
import { formatDetails } from '../../../../src/editor/details/formatDetails';
import { positionLinks } from '../../../../src/editor/details/positionLinks';
import { UserError } from '../../../../src/editor/platform/userError';
import { clicked } from '../../../../src/editor/targets';
import { openSourceFile } from '../../../../src/editor/taskCommands/openSourceFile';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { type NewTask, newTask, type Phase } from '../../../../src/tasks/trackedTask';
import { activated, type Parts } from '../../activated';
import { fileSource } from '../../answeredTasks';
import { closeEditors } from '../../settled';
import { WorkspaceFiles } from '../../workspaceFiles';

const KEY = 7;
const SCHEME = 'position-links-test';
let documents = 0;

describe('Positions in the reason of a failure', () => {
  let parts: Parts;
  const files = new WorkspaceFiles('positions');
  const made: number[] = [];

  before(async () => {
    parts = await activated();
  });
  afterEach(async () => {
    await closeEditors();
    await parts.list.remove(made.splice(0));
  });
  after(() => files.remove());

  it('are links in the details of a task that open the file there', async () => {
    const uri = files.write('lines.csv', 'a;b\n'.repeat(100));
    const source = { ...fileSource('lines.csv', 400), path: uri.fsPath };
    const task = newTask({ ...failedWith('Torn quote in line 88, column 3'), source });
    const [added] = await parts.list.add([task]);
    assert.ok(added);
    made.push(added.key);
    await commands.executeCommand('datasetImport.showDetails', { taskKey: added.key });
    const document = workspace.textDocuments.find(({ uri: { query } }) => query === `${added.key}`);
    assert.ok(document);
    const links = await commands.executeCommand<DocumentLink[]>('vscode.executeLinkProvider', document.uri);
    const [link] = links.filter(({ range }) => document.getText(range).startsWith('line 88'));
    assert.equal(link?.range.start.line, 1);
    assert.equal(document.getText(link.range), 'line 88, column 3');
    assert.equal(link.tooltip, 'Open File at Line 88, Column 3');
    await commands.executeCommand(link.target?.path ?? '', ...JSON.parse(link.target?.query ?? ''));
    assert.equal(window.activeTextEditor?.document.uri.toString(), uri.toString());
    assert.deepEqual(cursor(), [87, 2]);
  });

  const places: readonly (readonly [why: string, position: object, line: number, character: number])[] = [
    ['at the beginning of a line', { line: 2 }, 1, 0],
    ['at its first line for a service that counts from 0', { line: 0 }, 0, 0],
    ['at its last line where it has fewer', { line: 999_999_999_999_999 }, 2, 2],
    ['at the end of a line that is shorter', { line: 2, column: 999_999_999_999_999 }, 1, 3],
    ['at a byte of its UTF-8', { offset: 9 }, 1, 2],
    ['at its end where it has fewer bytes', { offset: 999_999_999_999_999 }, 2, 2],
  ];
  it('open the file at the position, or at the nearest one that exists', async () => {
    const uri = files.write('places.txt', 'é😀\nzwö\nxy');
    for (const [why, position, line, character] of places) {
      await openSourceFile(listWith(uri.fsPath), clicked({ taskKey: KEY, ...position }));
      assert.deepEqual(cursor(), [line, character], why);
    }
  });

  it('move the cursor in an open file with unsaved changes, and leave its text alone', async () => {
    const uri = files.write('changed.txt', 'one\ntwo\nthree');
    await openSourceFile(listWith(uri.fsPath), clicked({ taskKey: KEY, line: 2 }));
    await window.activeTextEditor?.edit((edit) => edit.insert(cursorPosition(), 'new\n'));
    await openSourceFile(listWith(uri.fsPath), clicked({ taskKey: KEY, line: 4 }));
    assert.deepEqual(cursor(), [3, 0]);
    assert.equal(window.activeTextEditor?.document.getText(), 'one\nnew\ntwo\nthree');
  });

  it('report a missing file with its path', async () => {
    const uri = files.write('gone.txt', 'x');
    await workspace.fs.delete(uri);
    for (const position of [{ line: 1 }, { offset: 5 }])
      await assert.rejects(
        openSourceFile(listWith(uri.fsPath), clicked({ taskKey: KEY, ...position })),
        (error) => error instanceof UserError && error.message === `'gone.txt' is no longer at ${uri.fsPath}.`,
      );
  });

  it('are links in the reason of a failure, of a rejection, and of each of several tasks', async () => {
    assert.deepEqual(await linksIn(failedWith('Torn at offset 1204')), [
      [1, 'offset 1204', { offset: 1204 }, 'Open File at Offset 1204'],
      [6, 'offset 1204', { offset: 1204 }, 'Open File at Offset 1204'],
    ]);
    for (const refusal of [
      { by: 'envelope', status: 200, code: '7', message: 'Row 7 is empty' },
      { by: 'status', status: 422, excerpt: 'Row 7 is empty' },
    ] as const) {
      const links = await linksIn({ phase: { kind: 'rejected', refusal } });
      assert.deepEqual(links, [[1, 'Row 7', { line: 7 }, 'Open File at Line 7']]);
    }
    const reports = [report('failed', 'line 1'), report('failed', 'line 12'), report('succeeded', 'line 3')];
    const taskParts = reports.map((each, index) => ({ taskId: typedTaskId(`${index}`, 'string'), report: each }));
    const phase: Phase = { kind: 'accepted', report: reports[0], parts: taskParts };
    assert.deepEqual(
      (await linksIn({ phase })).map(([, words]) => words),
      ['line 1', 'line 1', 'line 12'],
    );
  });

  it('are not links in other states, without a file, or outside the reason', async () => {
    const message = 'line 88';
    const failure = { name: 'ConnectionLostError', reason: 'silent', host: 'a.example', detail: '' } as const;
    const refusal = { by: 'envelope', status: 200, code: '7', message } as const;
    const none: readonly Partial<NewTask>[] = [
      ...(['running', 'succeeded', 'unknown'] as const).map((meaning) => ({
        phase: { kind: 'accepted', report: report(meaning, message) } as const,
      })),
      { phase: { kind: 'unconfirmed', failure, sentBytes: 2, totalBytes: 2 } },
      { phase: { kind: 'notSent', failure } },
      { ...failedWith(message), source: { ...fileSource('Untitled-1', 5), from: 'text' } },
      { ...failedWith(message), source: undefined },
      { ...failedWith('Torn page'), dataset: message, lastQueryError: { kind: 'rejected', refusal } },
      { phase: { kind: 'rejected', refusal: { by: 'redirect', status: 302, target: 'https://a.example/line 88' } } },
    ];
    for (const known of none) assert.deepEqual(await linksIn(known), [], JSON.stringify(known));
  });

  it('pass only numbers to a link, however hostile the text is', async () => {
    const hostile = [
      '→ Open File',
      '\n\n→ Open Source File\n\nline 1"}]&x=[{"taskKey":8',
      'line 2?%5B%7B%22taskKey%22:8%7D%5D',
      '[row 3](command:workbench.action.quit?[1])',
      'file:///etc/passwd line 4',
      'row \u202e5, line\u00a06, li\u200bne 7',
      'line 88888888888888888888',
    ].join('\n');
    const links = await linksIn(failedWith(hostile));
    assert.deepEqual(
      links.filter(([line]) => line === 1).map(([, words, position]) => [words, position]),
      [1, 2, 3, 4].map((number) => [`${number === 3 ? 'row' : 'line'} ${number}`, { line: number }]),
    );
  });
});

function report(meaning: TaskReport['meaning'], message: string): TaskReport {
  return { status: undefined, meaning, progress: undefined, message, from: {} };
}

function failedWith(message: string) {
  const phase: Phase = { kind: 'accepted', report: report('failed', message) };
  return { dataset: 'D', createdMs: 0, taskId: typedTaskId('t', 'string'), phase };
}

function tracked(known: Partial<NewTask>) {
  return asTracked(KEY, newTask({ ...failedWith(''), source: fileSource('a.txt', 1), ...known }));
}

function documentOf(known: Partial<NewTask>): Thenable<TextDocument> {
  const responses = { importResponse: undefined, lastResponse: undefined };
  const content = formatDetails({ task: tracked(known), nowMs: 0, timeline: [], responses });
  // Not an untitled document: VS Code would open each in a tab, and the tests would have to close them.
  const provider = workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: () => content });
  return workspace.openTextDocument(Uri.from({ scheme: SCHEME, path: `/${documents++}` })).then((document) => {
    provider.dispose();
    return document;
  });
}

/** Line, text, position and tooltip of each link in the details. */
async function linksIn(known: Partial<NewTask>) {
  const document = await documentOf(known);
  return positionLinks(document, tracked(known)).map(({ range, target, tooltip }) => {
    assert.equal(target?.with({ query: '' }).toString(true), 'command:datasetImport.openSourceFile');
    const [{ taskKey, ...position }, ...others] = JSON.parse(target?.query ?? '');
    assert.deepEqual([taskKey, ...others], [KEY]);
    return [range.start.line, document.getText(range), position, tooltip];
  });
}

/** As much of a task list as the command needs, with a task of this file. */
function listWith(path: string): Parameters<typeof openSourceFile>[0] {
  const name = basename(path);
  const task = tracked({ source: { ...fileSource(name, 1), path } });
  return { list: { loaded: async () => undefined, find: async () => task } } as unknown as Parameters<
    typeof openSourceFile
  >[0];
}

function cursorPosition() {
  const editor = window.activeTextEditor;
  assert.ok(editor);
  return editor.selection.active;
}

function cursor(): number[] {
  const { line, character } = cursorPosition();
  return [line, character];
}
