import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { importChanges } from '../../../../src/editor/importing/importChanges';
import { importFiles } from '../../../../src/editor/importing/importFile';
import type { Checklist } from '../../../../src/editor/platform/window';
import { Datasets } from '../../../../src/editor/services/datasets';
import { Sources } from '../../../../src/tasks/sending/sources';
import { activated, type Parts } from '../../activated';
import { MemoryMemento } from '../../memoryStorage';
import { startTinyService, type TinyService } from '../../tinyService';
import { setUserSetting } from '../../userSettings';
import { WorkspaceFiles } from '../../workspaceFiles';

const NAME = 'Reviewed';

describe('While the list of files is open', () => {
  let parts: Parts;
  let files: WorkspaceFiles;
  let service: TinyService;
  let services: Parts;
  /** Runs while the list is open, before it is accepted. */
  let whileOpen: () => Promise<unknown>;
  let selectsAll: boolean;

  before(async () => {
    parts = await activated();
    files = new WorkspaceFiles('reviewed files');
    let count = 0;
    service = await startTinyService({
      'file-task': () => `{"code":"0","message":null,"data":{"taskId":"reviewed-${++count}"}}`,
      'query-task': () => '{"code":"0","message":null,"data":{"status":"SUCCEEDED"}}',
    });
    await setUserSetting('datasetImport.datasets', [{ name: NAME, baseUrl: service.baseUrl.href }]);
    const datasets = new Datasets(parts.keys, new MemoryMemento());
    const dataset = datasets.find(NAME) ?? assert.fail();
    await parts.keys.set(dataset, 'key-of-reviewed');
    await datasets.setDefault(dataset);
    const checklist = async (list: Checklist<never>) => {
      const meanwhile = whileOpen;
      whileOpen = async () => {};
      await meanwhile();
      if (selectsAll) for (const row of list.rows()) list.tick(row, true);
      return 'accepted' as const;
    };
    services = { ...parts, datasets, sources: new Sources(''), picks: { ...parts.picks, checklist } };
  });

  beforeEach(() => {
    whileOpen = async () => {};
    selectsAll = false;
  });

  after(async () => {
    await parts.keys.clear({ name: NAME });
    services.datasets.dispose();
    await setUserSetting('datasetImport.datasets', undefined);
    await service.close();
    files.remove();
  });

  it('files that are uploaded elsewhere are not uploaded again, and the result counts them as skipped', async () => {
    const folder = folderOf('folder', 50);
    whileOpen = () => importing(() => importFiles(services, [folder]));
    const run = await importing(() => importFiles(services, [folder]));
    assert.deepEqual([uploads('folder'), run.results.length, run.alreadyImporting], [50, 0, 50]);
  });

  it('changed files that are uploaded elsewhere are not uploaded again by Import Changes', async () => {
    const folder = folderOf('changes', 3);
    await importing(() => importFiles(services, [folder]));
    files.write('changes/1.txt', 'changes 1, edited\n');
    whileOpen = () => importing(() => importChanges(services, folder, undefined));
    const run = await importing(() => importChanges(services, folder, undefined));
    assert.deepEqual([uploads('changes'), run.results.length, run.alreadyImporting], [4, 0, 1]);
  });

  it('uploaded files that the user selects are uploaded again if nothing else imports them', async () => {
    const folder = folderOf('again', 3);
    await importing(() => importFiles(services, [folder]));
    selectsAll = true;
    const run = await importing(() => importFiles(services, [folder]));
    assert.deepEqual([uploads('again'), run.results.length, run.alreadyImporting], [6, 3, 0]);
  });

  function folderOf(name: string, count: number): Uri {
    const folder = new WorkspaceFiles(join('reviewed files', name));
    for (let index = 0; index < count; index++) folder.write(`${index}.txt`, `${name} ${index}\n`);
    return Uri.file(folder.folder);
  }

  /** Waits for the end of the run that an import starts. */
  async function importing(start: () => Promise<void>) {
    const ended = once(parts.queue.events, 'ended');
    await start();
    const [run] = await ended;
    return run;
  }

  function uploads(folder: string): number {
    const isUpload = ({ operation, body }: TinyService['requests'][number]) =>
      operation === 'file-task' && body.includes(`${folder} `);
    return service.requests.filter(isUpload).length;
  }
});
