import { join } from 'node:path';
import { typedTaskId } from '../../src/service/json/taskId';
import { SqliteFile } from '../../src/tasks/database/sqliteFile';
import { thisWindow } from '../../src/tasks/leases/windowLease';
import { storeHere } from '../../src/tasks/store/store';
import { TaskList } from '../../src/tasks/store/taskList';
import { TASK_SCHEMA } from '../../src/tasks/store/taskSchema';
import { storePath } from '../../src/tasks/storePath';
import { systemClock } from '../../src/tasks/timing/clock';
import type { NewTask } from '../../src/tasks/trackedTask';
import { outFolder } from '../suites/project';
import { sourceOf, taskOf } from '../unit/tasks/temporaryStore';
import { ScriptedService } from './scriptedService';
import { useWorkbench } from './useWorkbench';

const COUNT = 10_000;
const BATCH_SIZE = 500;
const failed = { status: 'FAILED', meaning: 'failed', message: 'The page is torn.' } as const;
const succeeded = { status: 'SUCCEEDED', meaning: 'succeeded', message: undefined } as const;

describe('Ten thousand tasks', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({ settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] } }),
    async ({ dataFolder }) =>
      await fill(join(dataFolder, 'User', 'globalStorage', 'dataset-import.dataset-import'), service.url),
  );

  it('show the three that failed after a key and a word, and their details after two more keys', async () => {
    const { workbench, page } = open();
    const { quickInput, editors } = workbench;
    const { keyboard } = page;
    const tasks = workbench.view('Tasks');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('campaign 19', ({ description }) => description.startsWith('3 failed · 497 succeeded'));
    await workbench.runCommand('Dataset Import: Focus on Tasks View');
    await workbench.screenshot(join(outFolder, 'e2e', 'many-tasks.png'));
    await keyboard.press('ControlOrMeta+Alt+f');
    await quickInput.waitFor('Filter Tasks');
    await quickInput.pick('Problems');
    await tasks.waitForTitle('Filter: problems');
    await tasks.waitForRows((rows) => rows.map(({ level }) => level).join() === '1,2,2,2');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await editors.waitForText((text) => text.includes('notes 9997.txt') && text.includes('The page is torn.'));
    // The keys are still those of the list.
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await editors.waitForText((text) => text.includes('notes 9998.txt'));
  });

  it('are none that match a word that is nowhere, which the view says until its filter is cleared in its title', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await tasks.clickTitleAction('Clear Task Filter');
    await tasks.waitForRow('campaign 18');
    await tasks.clickTitleAction('Filter Tasks…');
    await workbench.quickInput.waitFor('Filter Tasks');
    await workbench.quickInput.type('nowhere');
    await workbench.quickInput.pick("Contains 'nowhere'");
    await tasks.waitForMessage('No tasks match the filter.');
    await tasks.clickTitleAction('Clear Task Filter');
    await tasks.waitForRow('campaign 18');
  });
});

/** Writes a task database as twenty campaigns have left it; three tasks of the last one have failed. */
async function fill(folder: string, origin: string): Promise<void> {
  const file = new SqliteFile(storePath(folder), TASK_SCHEMA, () => {});
  const list = new TaskList(storeHere(file, thisWindow(), systemClock));
  for (let from = 0; from < COUNT; from += BATCH_SIZE)
    await list.add(Array.from({ length: BATCH_SIZE }, (_, index) => endedTask(from + index, origin)));
  await file.close();
}

function endedTask(index: number, origin: string): NewTask {
  const campaign = Math.floor(index / BATCH_SIZE);
  const status = COUNT - index <= 3 ? failed : succeeded;
  return taskOf({
    dataset: 'Manuals',
    origin,
    source: sourceOf(`notes ${index}.txt`),
    batch: { id: String(campaign), label: `campaign ${campaign}` },
    createdMs: Date.now() - (COUNT - index) * 1000,
    taskId: typedTaskId(`id ${index}`, 'string'),
    phase: { kind: 'accepted', report: { ...status, progress: undefined, from: {} } },
  });
}
