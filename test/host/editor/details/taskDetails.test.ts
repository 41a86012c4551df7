import assert from 'node:assert/strict';
import { commands, type DocumentLink, Uri, window, workspace } from 'vscode';
import { formatDetails } from '../../../../src/editor/details/formatDetails';
import { nextStepLines, nextStepLinks } from '../../../../src/editor/details/nextSteps';
import type { TaskId } from '../../../../src/service/json/taskId';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { type EndedPhase, newTask } from '../../../../src/tasks/trackedTask';
import { activated, type Parts } from '../../activated';
import { always, answered, answerWith, fileSource } from '../../answeredTasks';
import { closeEditors, untilText } from '../../settled';

const SCHEME = 'dataset-import-task';

describe('The details of a task', () => {
  let parts: Parts;
  const made: number[] = [];

  before(async () => {
    parts = await activated();
  });
  afterEach(async () => {
    await closeEditors();
    await parts.list.remove(made.splice(0));
  });

  it('open on its row, say what happened in order, and follow it while they are open', async () => {
    const key = await add();
    await commands.executeCommand('datasetImport.showDetails', { taskKey: key });
    const shown = window.visibleTextEditors.find(({ document }) => document.uri.scheme === SCHEME);
    assert.equal(shown?.document.languageId, 'markdown');
    const text = await untilText(SCHEME, (all) => all.includes("The task is running: status 'RUNNING'."));
    assert.ok(
      text.startsWith('# notes.txt\n\nrunning · Nowhere\n\nNext: Show Last Response\n\n## Timeline\n\n- '),
      text,
    );
    assert.ok(text.indexOf('The service accepted') < text.indexOf('The task is running: status'), text);
    assert.match(text, /Task ID: 9007199254740993123 \(from \/taskId, recognized\)/);
    assert.match(text, /## File\n\n- \/files\/notes\.txt\n- 5 bytes/);
    assert.match(text, /## Response to the Import\n\n```json\n\{\n {2}"code": "0"/);
    const report = { status: 'DONE', meaning: 'succeeded', progress: undefined, message: 'ok', from: {} } as const;
    await parts.list.change(key, { phase: { kind: 'accepted', report } }, always);
    const later = await untilText(SCHEME, (all) => all.includes("The task succeeded: status 'DONE'."));
    assert.ok(later.indexOf("'RUNNING'") < later.indexOf("'DONE'"), later);
  });

  it('name the next steps, as links that run their commands for this task', async () => {
    const key = await add();
    await commands.executeCommand('datasetImport.showDetails', { taskKey: key });
    await untilText(SCHEME, (all) => all.includes('Next: '));
    const document = workspace.textDocuments.find(({ uri }) => uri.scheme === SCHEME && uri.query === `${key}`);
    assert.ok(document);
    const links = await commands.executeCommand<DocumentLink[]>('vscode.executeLinkProvider', document.uri);
    assert.deepEqual(
      links
        .filter(({ target }) => target?.scheme === 'command')
        .map(({ range, target }) => [document.getText(range), target?.toString(true)]),
      [['Show Last Response', `command:datasetImport.showLastResponse?${JSON.stringify([{ taskKey: key }])}`]],
    );
  });

  it('link each of several next steps where its name stands', async () => {
    const steps = ['retryImport', 'editRequest', 'showLastResponse'] as const;
    const [line] = nextStepLines(steps);
    const document = await workspace.openTextDocument({ content: `# a\n\n${line}\n\n${line}\n` });
    const links = nextStepLinks(document, steps, 7);
    assert.deepEqual(
      links.map(({ range }) => `${range.start.line} ${document.getText(range)}`),
      ['2 Show Last Response', '2 Edit Request…', '2 Retry Import'],
    );
    assert.deepEqual(nextStepLinks(document, ['retryImport'], 7), []);
  });

  it('tell in sentences how each attempt ended', () => {
    const failure = { name: 'ConnectionLostError', reason: 'silent', host: 'a.example', detail: '' } as const;
    const refusal = { by: 'status', status: 413, excerpt: 'Too large' } as const;
    const ends: readonly EndedPhase[] = [
      { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } },
      { kind: 'unconfirmed', failure, sentBytes: 2, totalBytes: 2 },
      { kind: 'rejected', refusal },
      { kind: 'accepted', report: undefined },
    ];
    const attempts = ends.map((end, index) => ({ beganMs: index, endedMs: index, sentBytes: 2, totalBytes: 2, end }));
    const queued = newTask({ dataset: 'D', source: fileSource('a.txt', 1), createdMs: 0, phase: { kind: 'queued' } });
    const responses = { importResponse: undefined, lastResponse: undefined };
    const task = { ...asTracked(1, queued), attempts };
    const text = formatDetails({ task, timeline: [], responses, nextCheck: undefined, nextCommands: [] });
    const said = [...text.matchAll(/Attempt .*$/gm)].map(([line]) => line);
    assert.equal(said.length, 4);
    for (const [index, begins] of [
      'Attempt 1 was not uploaded. ',
      'Attempt 2 is unconfirmed. The request was sent, but a.example did not respond in time.',
      'Attempt 3 was rejected: HTTP 413: Too large',
      'Attempt 4 was accepted.',
    ].entries())
      assert.ok(said[index]?.startsWith(begins), said[index]);
  });

  it('come back after a reload, and say so where the task is gone', async () => {
    const key = await add();
    const restored = await workspace.openTextDocument(
      Uri.from({ scheme: SCHEME, path: '/notes.txt.md', query: `${key}` }),
    );
    assert.match(restored.getText(), /^# notes\.txt\n/);
    const gone = await workspace.openTextDocument(Uri.from({ scheme: SCHEME, path: '/gone.md', query: '7' }));
    assert.equal(gone.getText(), 'This task is no longer in the list.\n');
  });

  it('cannot be faked by the name of a file or the words of a service', () => {
    const name = 'a\n## Timeline\n- Succeeded.txt';
    const response = answerWith('{"x":"``` \\n````\\u202e"}');
    const report = {
      status: 'x\n## File',
      meaning: 'unknown',
      progress: undefined,
      message: 'm\n# m',
      from: {},
    } as const;
    const task = newTask({
      dataset: 'D\n# D',
      source: fileSource(name, 1),
      createdMs: 0,
      taskId: '"t\\n# t"' as TaskId,
      phase: { kind: 'accepted', report },
    });
    const responses = { importResponse: response, lastResponse: undefined };
    const text = formatDetails({
      task: asTracked(1, task),
      timeline: [],
      responses,
      nextCheck: undefined,
      nextCommands: [],
    });
    const headings = text.split('\n').filter((line) => line.startsWith('#'));
    assert.deepEqual(headings.slice(1), ['## Task', '## File', '## Response to the Import']);
    assert.match(text, /\n`````json\n[\s\S]*\n`````\n$/);
    assert.ok(!text.includes('\u202e'));
  });

  async function add(): Promise<number> {
    const found = '{"taskId":9007199254740993123,"status":"RUNNING"}';
    const [task] = await parts.list.add([
      answered({ dataset: 'Nowhere', begun: '{"taskId":9007199254740993123}', found }),
    ]);
    assert.ok(task);
    made.push(task.key);
    return task.key;
  }
});
