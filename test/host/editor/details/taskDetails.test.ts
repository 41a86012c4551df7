import assert from 'node:assert/strict';
import { commands, Uri, window, workspace } from 'vscode';
import { formatDetails } from '../../../../src/editor/details/formatDetails';
import type { TaskId } from '../../../../src/service/json/taskId';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { newTask } from '../../../../src/tasks/trackedTask';
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
    const text = await untilText(SCHEME, (all) => all.includes("Running: status 'RUNNING'"));
    assert.ok(text.startsWith('# notes.txt\n\nrunning · Nowhere\n\n## Timeline\n\n- '), text);
    assert.ok(text.indexOf('Accepted') < text.indexOf('Running: status'), text);
    assert.match(text, /Task ID: 9007199254740993123 \(from \/taskId, recognized\)/);
    assert.match(text, /## File\n\n- \/files\/notes\.txt\n- 5 bytes/);
    assert.match(text, /## Response to the Import\n\n```json\n\{\n {2}"code": "0"/);
    const report = { status: 'DONE', meaning: 'succeeded', progress: undefined, message: 'ok', from: {} } as const;
    await parts.list.change(key, { phase: { kind: 'accepted', report } }, always);
    const later = await untilText(SCHEME, (all) => all.includes("Succeeded: status 'DONE'"));
    assert.ok(later.indexOf("'RUNNING'") < later.indexOf("'DONE'"), later);
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
    const text = formatDetails({ task: asTracked(1, task), timeline: [], responses, nextCheck: undefined });
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
