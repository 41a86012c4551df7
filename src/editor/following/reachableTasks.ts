import { destinationKey } from '../../tasks/destination';
import type { TrackedTask } from '../../tasks/trackedTask';
import { ensureAccessKey } from '../accessKeys/enterAccessKey';
import { type DatasetDeps, datasetAt } from '../datasets/findDataset';

/** Which of some tasks have a service that can be asked. */
export interface ReachableTasks {
  readonly tasks: readonly TrackedTask[];
  /** Tells of the others, where there is something to tell; those of a key that was asked for in vain are left out. */
  readonly firstError: unknown;
}

/**
 * Looks which tasks belong to a dataset with a key that is still where it was, asking for the keys that are missing.
 * One that has none stops no other.
 */
export async function reachableTasks(deps: DatasetDeps, tasks: readonly TrackedTask[]): Promise<ReachableTasks> {
  const reachable = new Set<string>();
  let firstError: unknown;
  for (const [key, [task]] of Map.groupBy(tasks, destinationKey)) {
    try {
      if (task !== undefined && (await ensureAccessKey(deps.keys, datasetAt(deps, task))) !== undefined)
        reachable.add(key);
    } catch (error) {
      firstError ??= error;
    }
  }
  return { tasks: tasks.filter((task) => reachable.has(destinationKey(task))), firstError };
}
