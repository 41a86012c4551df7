import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpSettings } from '../../src/editor/platform/settings';
import { Http } from '../../src/service/http/http';
import { ImportService } from '../../src/service/importService';
import { makeTaskParts } from '../../src/tasks/taskParts';
import type { TrackedTask } from '../../src/tasks/trackedTask';
import { HandClock } from '../unit/tasks/handClock';
import { activated, type Parts } from './activated';
import { type MemoryDatasets, ownDatasets } from './ownDatasets';
import { until } from './until';

/** What commands work with: a task database of its own, datasets and keys in memory, and a clock that stands still. */
export interface OwnParts extends Parts {
  readonly setting: MemoryDatasets;
  readonly clock: HandClock;
  /** Stops what was begun, and deletes the task database. */
  dispose(): Promise<void>;
}

/** Lets time pass until this many tasks fit, and returns them: status checks and pauses wait for the clock. */
export async function passUntilTasks(
  { clock, list }: OwnParts,
  count: number,
  fits: (task: TrackedTask) => boolean,
): Promise<readonly TrackedTask[]> {
  return await until(`${count} tasks that fit`, () => {
    clock.advance(1000);
    const found = list.held.filter(fits);
    return found.length >= count && found;
  });
}

/** Makes them once for all tests of a describe: the task database has a thread. */
export async function ownParts(): Promise<OwnParts> {
  const all = await activated();
  const folder = mkdtempSync(join(tmpdir(), 'di-parts-'));
  const { setting, datasets, keys, knownKeys, dispose } = ownDatasets();
  const http = new Http(httpSettings);
  const service = new ImportService(http, undefined, knownKeys);
  const clock = new HandClock();
  const fail = (error: unknown) => assert.fail(String(error));
  const tasks = makeTaskParts({
    ...{ folder, service },
    findTarget: (name) => datasets.target(name),
    originOf: (name) => datasets.originOf(name),
    contractOf: (destination) => datasets.contractOf(destination),
    whyNotAsked: () => undefined,
    allowed: () => 8,
    clock,
    ...{ onError: fail, onSetAside: fail },
  });
  tasks.serving.start();
  return {
    ...{ ...all, ...tasks, clock, setting, datasets, keys, service },
    dispose: async () => {
      await tasks.end();
      http.dispose();
      dispose();
      rmSync(folder, { recursive: true });
    },
  };
}
