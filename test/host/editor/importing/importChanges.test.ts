import assert from 'node:assert/strict';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Uri } from 'vscode';
import { importChanges } from '../../../../src/editor/importing/importChanges';
import { importFile } from '../../../../src/editor/importing/importFile';
import type { Action } from '../../../../src/editor/platform/userError';
import type { Checklist } from '../../../../src/editor/platform/window';
import { clicked } from '../../../../src/editor/targets';
import { PartlyQueuedError } from '../../../../src/tasks/serving/importRun';
import { type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import type { Parts } from '../../activated';
import { type OwnParts, ownParts, passUntilTasks } from '../../ownParts';
import { untilTasks } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';
import { WorkspaceFiles } from '../../workspaceFiles';

const LONG_AGO_S = 1_700_000_000;
const NAME = 'Changes';

describe('Import Changes', () => {
  let parts: OwnParts;
  let files: WorkspaceFiles;
  let service: TinyService;
  let services: Parts;
  /** What was asked: the titles of the lists. */
  let asked: string[];
  let told: { readonly message: string; readonly actions: readonly Action[] }[];
  let rejects: string;

  before(async () => {
    parts = await ownParts();
    files = new WorkspaceFiles('import changes');
    let count = 0;
    const accepted = () => `{"code":"0","message":null,"data":{"taskId":"change-${++count}"}}`;
    const rejected = '{"code":"4711","message":"not this one","data":null}';
    service = await startTinyService({
      'file-task': () => (service.requests.at(-1)?.body.includes(rejects) ? rejected : accepted()),
      'query-task': () => '{"code":"0","message":null,"data":{"status":"SUCCEEDED"}}',
    });
    parts.setting.set([{ name: NAME, baseUrl: service.baseUrl.href }]);
    await parts.keys.set(parts.datasets.find(NAME) ?? assert.fail(), 'key-of-changes');
    const checklist = async (list: Checklist<never>) => {
      asked.push(list.title());
      return list.canAccept() ? ('accepted' as const) : undefined;
    };
    const done = async (message: string, ...actions: Action[]) => void told.push({ message, actions });
    const messages = { ...parts.messages, done } as unknown as Parts['messages'];
    services = { ...parts, messages, picks: { ...parts.picks, checklist } };
  });

  beforeEach(() => {
    [asked, told, rejects] = [[], [], 'nothing is rejected'];
  });

  after(async () => {
    await parts.dispose();
    await service.close();
    files.remove();
  });

  it('of a folder sends what is new, and says so where nothing is', async () => {
    const folder = folderOf('plain', 'a.txt', 'b.txt');
    await importChanges(services, clicked(folder));
    await untilIn('plain', 2);
    await importChanges(services, clicked(folder));
    assert.deepEqual(asked, ['Import 2 files (10 bytes) to Changes']);
    assert.deepEqual(
      told.map(({ message, actions }) => [message, ...actions.map(({ label }) => label)]),
      [['There is nothing new to import: Changes has all 2 files as they are.', 'Show Files…']],
    );
  });

  it('never says that all is there where a file cannot be read, nor where the folder is gone', async () => {
    const folder = folderOf('unread', 'a.txt', 'b.txt');
    await importChanges(services, clicked(folder));
    await untilIn('unread', 2);
    files.write('unread/a.txt', Buffer.from('\0binary'));
    await importChanges(services, clicked(folder));
    assert.deepEqual([asked.at(-1), told.length], ['Import 0 of 1 file (0 bytes) to Changes', 0]);
    const row = parts.list.held.find(({ source }) => source?.relativePath === 'import changes/unread/b.txt');
    rmSync(folder.fsPath, { recursive: true });
    await assert.rejects(importChanges(services, clicked({ batchId: row?.batch?.id ?? '' })), /Nothing was imported\./);
    assert.equal(told.length, 0);
  });

  it('sends nothing of a single file that was rejected before that is ticked in the list', async () => {
    const folder = folderOf('single', 'rejected.txt');
    rejects = 'rejected.txt';
    await importChanges(services, clicked(folder));
    await untilTasks(parts.list, 1, (task) => task.source?.name === 'rejected.txt' && taskState(task) === 'rejected');
    const since = service.requests.length;
    await importChanges(services, clicked(folder));
    assert.equal(told.at(-1)?.message, 'There is nothing new to import to Changes.');
    await told.at(-1)?.actions[0]?.run();
    assert.equal(asked.at(-1), 'Import 0 of 1 file (0 bytes) to Changes');
    assert.equal(service.requests.slice(since).filter(({ operation }) => operation === 'file-task').length, 0);
  });

  it('of the dataset looks in the folders that were imported to it', async () => {
    const folder = folderOf('known', 'a.txt');
    await importChanges(services, clicked(folder));
    await untilIn('known', 1);
    files.write('known/later.txt', 'later');
    await importChanges(services, clicked({ dataset: parts.datasets.find(NAME) ?? assert.fail() }));
    assert.match(asked.at(-1) ?? '', /^Import 1 of \d+ files \(5 bytes\) to Changes$/);
    await untilIn('known', 2);
  });

  it('of the dataset finds a changed file that was imported by itself, though its row was cleared', async () => {
    const alone = new WorkspaceFiles(join('import changes', 'alone'));
    for (const name of ['listed.txt', 'cleared.txt', 'same.xyz', 'deleted.txt'])
      await importFile(services, [alone.write(name, `the first ${name}`)]);
    await untilIn('alone', 4);
    // While its task runs, a changed file is not selected.
    const hasSucceeded = (task: TrackedTask) =>
      taskState(task) === 'succeeded' && task.source?.relativePath.startsWith('import changes/alone/') === true;
    await passUntilTasks(parts, 4, hasSucceeded);
    const rows = parts.list.held.filter(({ source }) => source?.name === 'cleared.txt');
    await parts.list.remove(rows.map(({ key }) => key));
    for (const name of ['listed.txt', 'cleared.txt']) alone.write(name, `edited ${name}`);
    rmSync(join(alone.folder, 'deleted.txt'));
    const since = service.requests.length;
    await importChanges(services, clicked({ dataset: parts.datasets.find(NAME) ?? assert.fail() }));
    assert.match(asked.at(-1) ?? '', /^Import 2 of \d+ files \(35 bytes\) to Changes$/);
    const editedBytes = new Map([
      ['listed.txt', 17],
      ['cleared.txt', 18],
    ]);
    const isEdited = ({ source, taskId }: TrackedTask) =>
      taskId !== undefined && source !== undefined && editedBytes.get(source.name) === source.sizeBytes;
    await untilTasks(parts.list, 2, isEdited);
    assert.equal(service.requests.slice(since).filter(({ operation }) => operation === 'file-task').length, 2);
    await importChanges(services, clicked({ dataset: parts.datasets.find(NAME) ?? assert.fail() }));
    assert.match(asked.at(-1) ?? '', /^Import 0 of \d+ files/);
  });

  it('notes what it skips though only some of the files could be queued, and says how to import the others', async () => {
    const folder = folderOf('partly', 'a.txt', 'b.txt', 'picture.bin');
    const add: Parts['queue']['add'] = async (all, ...others) => {
      await parts.queue.add(all.slice(0, 1), ...others);
      throw new PartlyQueuedError(1, all.length, new Error('No room.'));
    };
    const queue = { add } as Parts['queue'];
    await assert.rejects(importChanges({ ...services, queue }, clicked(folder)), {
      name: 'UserError',
      message: 'Only 1 of 2 files were queued: No room. To import the others, import the same files or folders again.',
    });
    await untilIn('partly', 1);
    const row = parts.list.held.find(({ source }) => source?.relativePath === 'import changes/partly/a.txt');
    const page = await parts.list.history.batchPage(row?.batch?.id ?? '', Date.now());
    assert.deepEqual(page?.skipped, [{ reason: '.bin is not a listed file extension', count: 1 }]);
  });

  function folderOf(name: string, ...names: readonly string[]): Uri {
    const folder = new WorkspaceFiles(join('import changes', name));
    for (const each of names) {
      const { fsPath } = folder.write(each, `${name.slice(0, 4)}\n`.padEnd(5, each));
      utimesSync(fsPath, LONG_AGO_S, LONG_AGO_S);
    }
    return Uri.file(folder.folder);
  }

  /** Waits until so many files of a folder are in the dataset. */
  async function untilIn(name: string, count: number): Promise<void> {
    const isIt = (path = '') => path.startsWith(`import changes/${name}/`);
    await untilTasks(parts.list, count, ({ source, taskId }) => isIt(source?.relativePath) && taskId !== undefined);
  }
});
