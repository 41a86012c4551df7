import { destinationKey } from '../../tasks/destination';
import type { TrackedTask } from '../../tasks/trackedTask';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import type { Services } from '../services/services';

export interface ReachableTasks {
  readonly tasks: readonly TrackedTask[];
  /** Why the other tasks are not reachable; undefined where the user only canceled the input of a key. */
  readonly firstError: unknown;
}

/** Those of the tasks whose dataset exists at the same origin and has an access key; asks for missing keys. */
export async function reachableTasks(services: Services, tasks: readonly TrackedTask[]): Promise<ReachableTasks> {
  const reachable = new Set<string>();
  let firstError: unknown;
  for (const [key, [task]] of Map.groupBy(tasks, destinationKey)) {
    try {
      if (task !== undefined && (await ensureAccessKey(services, datasetAt(services, task))) !== undefined)
        reachable.add(key);
    } catch (error) {
      firstError ??= error;
    }
  }
  return { tasks: tasks.filter((task) => reachable.has(destinationKey(task))), firstError };
}
