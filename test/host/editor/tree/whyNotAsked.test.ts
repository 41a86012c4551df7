import assert from 'node:assert/strict';
import type { ThemeIcon } from 'vscode';
import { datasetAt } from '../../../../src/editor/datasets/findDataset';
import { SandboxHost } from '../../../../src/editor/sandboxHost/sandboxHost';
import type { AccessKeys } from '../../../../src/editor/datasets/accessKeys';
import type { Datasets } from '../../../../src/editor/datasets/datasets';
import { batchItem, notWaiting } from '../../../../src/editor/taskItems/batchItem';
import { taskItem } from '../../../../src/editor/taskItems/taskItem';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { BatchSummary } from '../../../../src/tasks/history/batchSummary';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { whyNotAsked } from '../../../../src/tasks/serving/whyNotAsked';
import { newTask, type Phase, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { fileSource } from '../../answeredTasks';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';

const OLD = 'https://old.example.com';
const report = { status: 'RUNNING', meaning: 'running', progress: 0.37, message: undefined, from: {} } as const;
const running: Phase = { kind: 'accepted', report };

describe('The row of a task whose service cannot be queried', () => {
  let own: OwnDatasets;
  let keys: AccessKeys;
  let datasets: Datasets;
  let sandbox: SandboxHost;

  beforeEach(async () => {
    own = ownDatasets();
    ({ keys, datasets } = own);
    sandbox = new SandboxHost(datasets, keys, () => {});
    moveTo(OLD);
    await keys.set(manuals(), 'ak-1234567890');
  });

  afterEach(async () => {
    await sandbox.stop();
    sandbox.dispose();
    own.dispose();
  });

  it('shows the progress while the service can be queried', () => {
    assert.match(rowOf(task()), /^running 37%/);
  });

  it('shows where the dataset has moved, until it moves back', () => {
    moveTo('https://new.example.com/base');
    assert.equal(rowOf(task()), 'not checked: moved to new.example.com · just now · Manuals');
    assert.equal(iconOf(task()), 'eye-closed');
    moveTo(OLD);
    assert.match(rowOf(task()), /^running 37%/);
  });

  it('shows a moved dataset for a queued import, but not for a finished task', () => {
    moveTo('https://new.example.com');
    assert.match(rowOf(task({ kind: 'queued' })), /^waiting: moved to new\.example\.com · /);
    assert.match(
      rowOf(task({ kind: 'accepted', report: { ...report, meaning: 'succeeded' } })),
      /^just now · Manuals$/,
    );
  });

  it('shows that its dataset was removed', () => {
    own.setting.set(undefined);
    assert.match(rowOf(task()), /^not checked: dataset removed · /);
  });

  it('shows that its dataset has a mistake in the settings, also for a queued import', () => {
    own.setting.set([{ name: 'Manuals', baseUrl: OLD, contract: { fileTask: { mediaType: 7 } } }]);
    assert.match(rowOf(task()), /^not checked: error in the dataset settings · /);
    assert.match(rowOf(task({ kind: 'queued' })), /^waiting: error in the dataset settings · /);
  });

  it('shows a missing access key as soon as it is known, without waiting for the secret storage', async () => {
    await keys.clear(manuals());
    assert.match(rowOf(task()), /^not checked: no access key · /);
    await keys.set(manuals(), 'ak-1234567890');
    assert.match(rowOf(task()), /^running 37%/);
  });

  it('shows that its sandbox does not run in this window', async () => {
    const { baseUrl } = await sandbox.start();
    const its = sandboxTask(baseUrl.origin);
    assert.match(rowOf(its), /^running 37%/);
    assert.match(rowOf(sandboxTask('http://127.0.0.1:4001')), /^not checked: sandbox not running here · /);
    await sandbox.stop();
    assert.match(rowOf(its), /^not checked: sandbox not running here · /);
    await sandbox.start();
    assert.match(rowOf(its), /^not checked: sandbox not running here · /);
  });

  it('has the same reason in the error of a command, whether or not a sandbox runs here', async () => {
    const asked = () => datasetAt({ datasets, keys, sandbox }, { dataset: 'Sandbox', origin: 'http://127.0.0.1:4001' });
    const message = 'This task belongs to a sandbox that does not run in this window.';
    assert.throws(asked, { message });
    await sandbox.start();
    assert.throws(asked, { message });
  });

  it('is counted as not checked in the row of its batch, which looks neither running nor succeeded', () => {
    moveTo('https://new.example.com');
    const destination = { dataset: 'Manuals', origin: OLD };
    const batch: BatchSummary = {
      batch: { id: 'b', label: 'notes' },
      first: { ...destination, createdMs: 0 },
      counts: [
        { ...destination, state: 'running', count: 2 },
        { ...destination, state: 'succeeded', count: 1 },
      ],
      sizeBytes: 3,
    };
    const item = batchItem(batch, 0, {
      ...notWaiting,
      whyNotAsked: (destination) => whyNotAsked({ datasets, keys }, destination),
    });
    assert.match(String(item.description), /^1 succeeded · not checked: moved to new\.example\.com \(2\) · /);
    assert.equal((item.iconPath as ThemeIcon).id, 'eye-closed');
  });

  function manuals() {
    return datasets.find('Manuals') ?? assert.fail();
  }

  function moveTo(baseUrl: string): void {
    own.setting.set([{ name: 'Manuals', baseUrl }]);
  }

  function task(phase: Phase = running): TrackedTask {
    const facts = { source: fileSource('a.txt', 1), taskId: typedTaskId('t', 'string'), createdMs: 0 };
    return asTracked(1, newTask({ dataset: 'Manuals', origin: OLD, phase, ...facts }));
  }

  function sandboxTask(origin: string): TrackedTask {
    return { ...task(), dataset: 'Sandbox', origin };
  }

  function rowOf(each: TrackedTask): string {
    return String(taskItem(each, undefined, 0, whyNotAsked({ datasets, keys }, each)).description);
  }

  function iconOf(each: TrackedTask): string {
    return (taskItem(each, undefined, 0, whyNotAsked({ datasets, keys }, each)).iconPath as ThemeIcon).id;
  }
});
