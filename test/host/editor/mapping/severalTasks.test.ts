import assert from 'node:assert/strict';
import { commands, env, window } from 'vscode';
import { taskItem } from '../../../../src/editor/taskItems/taskItem';
import type { ListChange } from '../../../../src/tasks/store/taskList';
import { isOpen, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { activated, type Parts } from '../../activated';
import { answerWith } from '../../answeredTasks';
import { answering, closeEditors, closingMessages, untilTasks } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';
import { WorkspaceFiles } from '../../workspaceFiles';

describe('A file of which the service makes several tasks', () => {
  let parts: Parts;
  let files: WorkspaceFiles;
  let service: TinyService;
  /** The `data` of file-task's response. */
  let begun: string;
  /** What the service says of each task, by its id as JSON. */
  let statuses: Record<string, string>;
  /** The `data` of query-task's responses where it has all tasks whichever was asked about. */
  let listed: string | undefined;
  let words: string[];
  const hear = (change: ListChange) => {
    if (change.kind === 'tasks') words.push(...change.tasks.map(wordsOf));
  };

  before(async () => {
    parts = await activated();
    files = new WorkspaceFiles('several tasks');
    service = await startTinyService({
      'file-task': () => answerWith(begun),
      'query-task': () => {
        const { body } = service.requests.at(-1) ?? assert.fail();
        return answerWith(listed ?? `{"status":"${statuses[/:(.+)\}/.exec(body)?.[1] ?? '']}"}`);
      },
    });
    await parts.keys.set({ name: 'Several', baseUrl: service.baseUrl }, 'several-key');
    await parts.datasets.add({ name: 'Several', baseUrl: service.baseUrl.href });
    parts.list.events.on('change', hear);
  });

  beforeEach(() => {
    words = [];
    listed = undefined;
    service.requests.length = 0;
  });

  afterEach(async () => {
    const ownTask = parts.list.held.filter(({ dataset }) => dataset === 'Several');
    await parts.list.remove(ownTask.map(({ key }) => key));
    const dataset = parts.datasets.find('Several') ?? assert.fail();
    if (parts.mapping.pointer(dataset, 'taskId') !== undefined)
      await parts.mapping.setPointer(dataset, 'taskId', undefined);
    await commands.executeCommand('notifications.clearAll');
  });

  after(async () => {
    parts.list.events.off('change', hear);
    await parts.datasets.remove(parts.datasets.find('Several') ?? assert.fail());
    await service.close();
    files.remove();
  });

  it('is followed until all have ended', async () => {
    begun = '{"taskIds":[9007199254740993123,2]}';
    statuses = { '9007199254740993123': 'DONE', '2': 'RUNNING' };
    let task = await refreshed(await importFile());
    assert.match(wordsOf(task), /^running · 1 of 2 tasks ended · /);
    await commands.executeCommand('datasetImport.copyTaskId', { taskKey: task.key });
    assert.equal(await env.clipboard.readText(), '9007199254740993123\n2');
    await commands.executeCommand('datasetImport.previewRequest', { taskKey: task.key });
    const preview = window.activeTextEditor?.document.getText() ?? '';
    assert.ok(preview.includes('{"taskId":2}'), preview);
    await closeEditors();
    assert.deepEqual(
      words.filter((each) => each.startsWith('succeeded')),
      [],
    );
    statuses['2'] = 'DONE';
    task = await refreshed(task);
    assert.match(wordsOf(task), /^succeeded · 2 of 2 tasks ended · /);
  });

  it('never has the state of another task where the service lists all of them, in any order', async () => {
    begun = '{"taskIds":["t-1","t-2"]}';
    statuses = {};
    const element = (id: string, status: string) => `{"taskId":"${id}","status":"${status}"}`;
    const decoy = element('t-3', 'FAILED');
    listed = `{"rows":[${[decoy, element('t-2', 'DONE'), element('t-1', 'RUNNING')]}]}`;
    let task = await refreshed(await importFile());
    assert.match(wordsOf(task), /^running · 1 of 2 tasks ended · /);
    listed = `{"rows":[${[element('t-2', 'DONE'), decoy]}]}`;
    task = await refreshed(task);
    assert.match(wordsOf(task), /^task 't-1' is not in the response · 1 of 2 tasks ended/);
    listed = `{"rows":[${[element('t-1', 'DONE'), decoy]}]}`;
    task = await refreshed(task);
    assert.match(wordsOf(task), /^succeeded · 2 of 2 tasks ended · /);
    assert.deepEqual(
      words.filter((each) => each.startsWith('failed')),
      [],
    );
  });

  it('keeps the choice for the next file, of which there are more', async () => {
    begun = '{"items":[{"id":1},{"id":2}]}';
    statuses = { 1: 'DONE', 2: 'DONE' };
    const first = await importFile();
    await answering(commands.executeCommand('datasetImport.mapResponses', { taskKey: first.key }), 'accept');
    begun = '{"items":[{"id":3},{"id":4},{"id":5}]}';
    statuses = { 3: 'DONE', 4: 'RUNNING', 5: 'DONE' };
    const second = await refreshed(await importFile());
    assert.match(wordsOf(second), /^running · 2 of 3 tasks ended · /);
    const dataset = parts.datasets.find('Several') ?? assert.fail();
    assert.equal(parts.mapping.pointer(dataset, 'taskId'), '/items/${each}/id');
  });

  async function importFile(): Promise<TrackedTask> {
    const known = new Set(parts.list.held.map(({ key }) => key));
    const name = `${known.size}-${Object.keys(statuses).join('')}.txt`.replaceAll('"', '');
    const command = commands.executeCommand('datasetImport.importFile', files.write(name, `${name}\n${begun}`));
    const isEnded = (task: TrackedTask) => !known.has(task.key) && !isOpen(task.phase);
    const [task] = await untilTasks(parts.list, 1, isEnded);
    await closingMessages(command);
    return task ?? assert.fail('no task came of the import');
  }

  async function refreshed({ key }: TrackedTask): Promise<TrackedTask> {
    await closingMessages(commands.executeCommand('datasetImport.refreshTask', { taskKey: key }));
    return parts.list.get(key) ?? assert.fail();
  }

  /** What a screen reader says of the row, without its label: its icon is not read. */
  function wordsOf(task: TrackedTask): string {
    const { accessibilityInformation } = taskItem(task, undefined, Date.now());
    return accessibilityInformation?.label.split(', ').slice(1).join(' · ') ?? '';
  }
});
