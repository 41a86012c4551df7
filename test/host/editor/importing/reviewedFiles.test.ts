import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { importChanges } from '../../../../src/editor/importing/importChanges';
import { importFiles } from '../../../../src/editor/importing/importFile';
import type { Checklist } from '../../../../src/editor/platform/window';
import { clicked } from '../../../../src/editor/targets';
import type { ImportRun } from '../../../../src/tasks/serving/importRun';
import { type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import type { Parts } from '../../activated';
import { type OwnParts, ownParts, passUntilTasks } from '../../ownParts';
import { startTinyService, type TinyService } from '../../tinyService';
import { WorkspaceFiles } from '../../workspaceFiles';

const NAME = 'Reviewed';

describe('While the list of files is open', () => {
  let parts: OwnParts;
  let files: WorkspaceFiles;
  let service: TinyService;
  let services: Parts;
  /** Runs while the list is open, before it is accepted. */
  let whileOpen: () => Promise<unknown>;
  let selectsAll: boolean;
  /** The runs that have ended. */
  let runs: ImportRun[];
  const noteRun = (run: ImportRun) => void runs.push(run);

  before(async () => {
    parts = await ownParts();
    parts.queue.events.on('ended', noteRun);
    files = new WorkspaceFiles('reviewed files');
    let count = 0;
    service = await startTinyService({
      'file-task': () => `{"code":"0","message":null,"data":{"taskId":"reviewed-${++count}"}}`,
      'query-task': () => '{"code":"0","message":null,"data":{"status":"SUCCEEDED"}}',
    });
    parts.setting.set([{ name: NAME, baseUrl: service.baseUrl.href }]);
    await parts.keys.set({ name: NAME, baseUrl: service.baseUrl }, 'key-of-reviewed');
    const checklist = async (list: Checklist<never>) => {
      const meanwhile = whileOpen;
      whileOpen = async () => {};
      await meanwhile();
      if (selectsAll) for (const row of list.rows()) list.tick(row, true);
      return 'accepted' as const;
    };
    services = { ...parts, picks: { ...parts.picks, checklist } };
  });

  beforeEach(() => {
    whileOpen = async () => {};
    [selectsAll, runs] = [false, []];
  });

  after(async () => {
    parts.queue.events.off('ended', noteRun);
    await parts.dispose();
    await service.close();
    files.remove();
  });

  it('files that are uploaded elsewhere are not uploaded again, and the result counts them as skipped', async () => {
    const folder = folderOf('folder', 50);
    whileOpen = async () => {
      await importFiles(services, [folder]);
      await untilEnded(1);
    };
    await importFiles(services, [folder]);
    const run = await untilEnded(2);
    assert.deepEqual([uploads('folder'), run.results.length, run.alreadyImporting], [50, 0, 50]);
  });

  it('changed files that are uploaded elsewhere are not uploaded again by Import Changes', async () => {
    const folder = folderOf('changes', 3);
    await importFiles(services, [folder]);
    await untilEnded(1);
    // While its task runs, a changed file is not selected.
    const hasSucceeded = (task: TrackedTask) =>
      taskState(task) === 'succeeded' && task.source?.relativePath.startsWith('reviewed files/changes/') === true;
    await passUntilTasks(parts, 3, hasSucceeded);
    files.write('changes/1.txt', 'changes 1, edited\n');
    whileOpen = async () => {
      await importChanges(services, clicked(folder));
      await untilEnded(2);
    };
    await importChanges(services, clicked(folder));
    const run = await untilEnded(3);
    assert.deepEqual([uploads('changes'), run.results.length, run.alreadyImporting], [4, 0, 1]);
  });

  it('uploaded files that the user selects are uploaded again if nothing else imports them', async () => {
    const folder = folderOf('again', 3);
    await importFiles(services, [folder]);
    await untilEnded(1);
    selectsAll = true;
    await importFiles(services, [folder]);
    const run = await untilEnded(2);
    assert.deepEqual([uploads('again'), run.results.length, run.alreadyImporting], [6, 3, 0]);
  });

  function folderOf(name: string, count: number): Uri {
    const folder = new WorkspaceFiles(join('reviewed files', name));
    for (let index = 0; index < count; index++) folder.write(`${index}.txt`, `${name} ${index}\n`);
    return Uri.file(folder.folder);
  }

  /** Waits until so many runs of a test have ended, and returns the last one. */
  async function untilEnded(count: number): Promise<ImportRun> {
    while (runs.length < count) await once(parts.queue.events, 'ended');
    return runs.at(-1) ?? assert.fail();
  }

  function uploads(folder: string): number {
    const isUpload = ({ operation, body }: TinyService['requests'][number]) =>
      operation === 'file-task' && body.includes(`${folder} `);
    return service.requests.filter(isUpload).length;
  }
});
