import type { TaskList } from '../../tasks/store/taskList';
import type { Batch, TrackedTask } from '../../tasks/trackedTask';

/** The tracked tasks of a batch, in the order in which they were queued. */
export interface TrackedBatch {
  readonly batch: Batch;
  readonly tasks: readonly TrackedTask[];
}

/** A row of the first level of the view. */
export type TopLevel = { readonly task: TrackedTask } | TrackedBatch;

/** The first level of the view, newest first. A batch is at the place of its newest task. */
export function topLevel(list: TaskList): TopLevel[] {
  const batches = new Map<string, TrackedTask[]>();
  const top: TopLevel[] = [];
  for (const task of list.tasks) {
    const { batch } = task;
    if (batch === undefined) {
      top.push({ task });
      continue;
    }
    const tasks = batches.get(batch.id) ?? [];
    if (tasks.length === 0) top.push({ batch, tasks });
    batches.set(batch.id, tasks);
    tasks.push(task);
  }
  for (const tasks of batches.values()) tasks.reverse();
  return top;
}

export function tasksOfBatch(list: TaskList, batchId: string): TrackedTask[] {
  return list.tasks.filter(({ batch }) => batch?.id === batchId);
}
