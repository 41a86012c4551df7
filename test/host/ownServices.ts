import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNotServed } from '../../src/editor/datasets/findDataset';
import { httpSettings } from '../../src/editor/platform/settings';
import type { Services } from '../../src/editor/services';
import { Http } from '../../src/service/http/http';
import { ImportService } from '../../src/service/importService';
import { connectTasks, taskThreads } from '../../src/tasks/connectTasks';
import { textsFolder } from '../../src/tasks/storePath';
import { HandClock } from '../unit/tasks/handClock';
import { activated } from './activated';
import { MemoryMemento } from './memoryStorage';
import { type MemoryDatasets, ownDatasets } from './ownDatasets';

/** Services with their own task database, in-memory datasets and keys, and a clock that the test advances. */
export interface OwnServices extends Services {
  readonly setting: MemoryDatasets;
  readonly clock: HandClock;
  readonly service: ImportService;
  /** Stops everything and deletes the task database. */
  dispose(): Promise<void>;
}

/**
 * Creates services. Share them among the tests in a `describe`, because each set of services starts its own database
 * thread.
 */
export async function ownServices(): Promise<OwnServices> {
  const engine = await activated();
  const folder = mkdtempSync(join(tmpdir(), 'di-services-'));
  const { setting, datasets, keys, knownKeys, dispose } = ownDatasets();
  const http = new Http(httpSettings);
  const service = new ImportService(http, undefined, knownKeys);
  const clock = new HandClock();
  const fail = (error: unknown) => assert.fail(String(error));
  const tasks = connectTasks(taskThreads(folder, fail), {
    folder,
    service,
    clock,
    findTarget: (name) => datasets.target(name),
    contractOf: (destination) => datasets.contractOf(destination),
    canServe: (destination) => whyNotServed({ datasets, keys }, destination) === undefined,
    readKeysAgain: () => keys.readAgain(),
    allowed: () => 8,
    retention: () => ({ days: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY }),
    onError: fail,
  });
  const changed = datasets.onDidChange(() => void tasks.targetsChanged());
  tasks.serving.start();
  return {
    ...engine,
    ...tasks,
    clock,
    setting,
    datasets,
    keys,
    service,
    memory: new MemoryMemento(),
    textsFolder: textsFolder(folder),
    dispose: async () => {
      changed.dispose();
      await tasks.end();
      http.closeConnections();
      dispose();
      rmSync(folder, { recursive: true });
    },
  };
}
