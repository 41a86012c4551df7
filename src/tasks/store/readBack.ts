import { StoreError } from '../database/storeError';
import { type History, readTasks } from '../history/walk';
import { taskValues } from '../rows/taskRow';
import type { TrackedTask } from '../trackedTask';

/**
 * Of the tasks with the keys from `readKeys` those that are stored as they were to be written, in the order of `wanted`, after the store's
 * thread ended before it responded. @throws the error where it is another one, or where nothing was written
 */
export async function readBack(
  history: History,
  readKeys: () => Promise<readonly number[]>,
  wanted: readonly TrackedTask[],
  error: unknown,
): Promise<TrackedTask[]> {
  if (!(error instanceof StoreError) || error.reason !== 'ended') throw error;
  const stored = Map.groupBy(await readTasks(history, await readKeys()), look);
  const written = wanted.flatMap((task) => stored.get(look(task))?.shift() ?? []);
  if (written.length === 0) throw error;
  return written;
}

/** A task as its row has it, without key and revision. */
function look(task: TrackedTask): string {
  return JSON.stringify(taskValues(task));
}
