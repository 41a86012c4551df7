import assert from 'node:assert/strict';
import { commands } from 'vscode';
import type { SandboxProfileId } from '../../../../src/sandbox/sandbox';
import { isOpen, type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { activated, type Parts } from '../../activated';
import { closingMessages, untilTasks } from '../../settled';
import { WorkspaceFiles } from '../../workspaceFiles';
import { Newcomer } from './newcomer';

const uuid = '3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34';
const longId = '3385447386504440885';
const refId = 'x3f2b8c1e9d4a4b6f8a1c0e5d7f9b2c34';

/** How a service becomes usable, and what then goes over the wire: the id as JSON, the query, the picks it took. */
interface Way {
  readonly id: string;
  readonly query: string;
  readonly picks: 0 | 1 | 2 | 3;
  walk(newcomer: Newcomer): Promise<void>;
}

const asAssumed: Way = {
  id: `"${uuid}"`,
  query: `{"taskId":"${uuid}"}`,
  picks: 0,
  walk: async (newcomer) => {
    await newcomer.imports('accepted');
    await newcomer.refreshesAtTheEnd();
  },
};

/** The flaky one speaks as the standard one does: there is nothing to say to it. */
type StrangeProfileId = Exclude<SandboxProfileId, 'flaky'>;

const ways: Readonly<Record<StrangeProfileId, Way>> = {
  standard: asAssumed,
  pairs: asAssumed,
  numericIds: {
    id: longId,
    query: `{"id":${longId}}`,
    picks: 1,
    walk: async (newcomer) => {
      await newcomer.imports('accepted');
      await newcomer.types('queryBody', '{"id":"${taskId}"}');
      await newcomer.refreshesAtTheEnd();
      await newcomer.saysWhatItMeans('2', 'succeeded');
    },
  },
  nestedStates: {
    ...asAssumed,
    picks: 2,
    walk: async (newcomer) => {
      await newcomer.imports('accepted');
      await newcomer.refreshesAtTheEnd();
      await newcomer.picksValue('status', 'IN_DATASET');
      await newcomer.saysWhatItMeans('IN_DATASET', 'succeeded');
    },
  },
  unrecognizable: {
    id: `"${refId}"`,
    query: `{"q":{"ref":"${refId}"}}`,
    picks: 3,
    walk: async (newcomer) => {
      await newcomer.imports('accepted');
      assert.equal(taskState(newcomer.task), 'withoutId');
      await newcomer.picksValue('taskId', refId);
      await newcomer.types('queryBody', '{"q": {"ref": "${taskId}"}}');
      await newcomer.refreshesAtTheEnd();
      await newcomer.picksValue('status', 'Z');
      await newcomer.saysWhatItMeans('Z', 'succeeded');
    },
  },
  listInData: {
    ...asAssumed,
    query: `{"importIds":["${uuid}"]}`,
    walk: async (newcomer) => {
      await newcomer.imports('accepted');
      await newcomer.types('queryBody', '{"importIds": ["${taskId}"]}');
      await newcomer.refreshesAtTheEnd();
    },
  },
  bareData: {
    id: '"JOB-3F2B8C1E9D4A4B6F8A1C"',
    query: '{"jobNo":"JOB-3F2B8C1E9D4A4B6F8A1C"}',
    picks: 0,
    walk: async (newcomer) => {
      await newcomer.imports('accepted');
      await newcomer.types('queryBody', '{"jobNo":"${taskId}"}');
      await newcomer.refreshesAtTheEnd();
    },
  },
  requiredParts: {
    ...asAssumed,
    walk: async (newcomer) => {
      await newcomer.imports('rejected');
      await newcomer.types('filePart', 'document');
      await newcomer.types('formField', 'A1', 'datasetCode');
      await newcomer.types('formField', '${fileName}', 'fileName');
      await asAssumed.walk(newcomer);
    },
  },
  gateway: {
    ...asAssumed,
    walk: async (newcomer) => {
      await newcomer.imports('rejected');
      await newcomer.types('header', 'sandbox', 'X-Tenant');
      await newcomer.imports('accepted');
      // Every third query is turned away: here the first one at the end.
      for (let time = 0; time < 2; time++) await newcomer.refreshes();
      await newcomer.refreshesAtTheEnd();
      assert.equal(taskState(newcomer.task), 'running');
      await newcomer.refreshes();
    },
  },
};

describe('A service that speaks in its own way', () => {
  let parts: Parts;
  let files: WorkspaceFiles;
  let newcomer: Newcomer;

  before(async () => {
    parts = await activated();
    files = new WorkspaceFiles('mapped services');
  });

  afterEach(async () => {
    await newcomer.end();
    await commands.executeCommand('notifications.clearAll');
  });

  after(() => files.remove());

  for (const [profile, { id, query, picks, walk }] of Object.entries(ways) as [StrangeProfileId, Way][]) {
    it(`becomes usable by ${picks} picks where it speaks as ${profile}, and its id is right to the digit`, async () => {
      newcomer = await Newcomer.start(parts, profile, uuid, importFile);
      await walk(newcomer);
      assert.equal(taskState(newcomer.task), 'succeeded', JSON.stringify(newcomer.task));
      assert.equal(newcomer.task.taskId, id);
      assert.equal(newcomer.queries.at(-1), query);
      assert.equal(newcomer.picks, picks);
    });
  }

  /** Imports a file to the only dataset there is, and gives its task once the import has ended. */
  async function importFile(): Promise<TrackedTask> {
    const known = new Set(parts.list.held.map(({ key }) => key));
    const command = commands.executeCommand('datasetImport.importFile', files.write('notes.txt', 'one\ntwo\n'));
    const isEnded = (task: TrackedTask) => !known.has(task.key) && !isOpen(task.phase);
    const [task] = await untilTasks(parts.list, 1, isEnded);
    await closingMessages(command);
    return task ?? assert.fail('no task came of the import');
  }
});
