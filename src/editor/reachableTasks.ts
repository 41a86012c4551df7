import type { TrackedTask } from '../tasks/trackedTask';
import { type ChooseDeps, knownDataset, readyDestination } from './chooseDataset';

/** Which of some tasks have a service that can be asked. */
export interface ReachableTasks {
  readonly tasks: readonly TrackedTask[];
  /** Tells of the others, where there is something to tell; those of a key that was asked for in vain are left out. */
  readonly obstacle: unknown;
}

/** Looks which tasks have a dataset with a key, asking for the keys that are missing. One that has none stops no other. */
export async function reachableTasks(deps: ChooseDeps, tasks: readonly TrackedTask[]): Promise<ReachableTasks> {
  const reachable = new Set<string>();
  let obstacle: unknown;
  for (const name of new Set(tasks.map(({ dataset }) => dataset))) {
    try {
      if ((await readyDestination(deps, knownDataset(deps, name))) !== undefined) reachable.add(name);
    } catch (error) {
      obstacle ??= error;
    }
  }
  return { tasks: tasks.filter(({ dataset }) => reachable.has(dataset)), obstacle };
}
