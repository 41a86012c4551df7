import { isOpen, type Responses, type TrackedTask } from '../trackedTask';

/** What can change in a task. */
export type TaskChange = Partial<
  Pick<
    TrackedTask,
    'dataset' | 'origin' | 'source' | 'taskId' | 'taskIdFrom' | 'phase' | 'attempts' | 'checkedMs' | 'lastQueryError'
  > &
    Responses
>;

/** Whether a task is an import that has not ended, and is a window's to send. */
export function isOwnImport({ owner, phase }: Pick<TrackedTask, 'owner' | 'phase'>, windowId: string): boolean {
  return owner === windowId && isOpen(phase);
}

/** A task with its owner, which follows its phase: none once it has ended, the window where it is queued anew. */
export function owned(task: TrackedTask, windowId: string): TrackedTask {
  return { ...task, owner: isOpen(task.phase) ? (task.owner ?? windowId) : undefined };
}

/** A task after a change that a window makes. */
export function changedTask(task: TrackedTask, change: TaskChange, windowId: string): TrackedTask {
  const { importResponse, lastResponse, ...rest } = change;
  const changed = {
    ...task,
    ...rest,
    hasImportResponse: task.hasImportResponse || importResponse !== undefined,
    hasLastResponse: task.hasLastResponse || lastResponse !== undefined,
  };
  return owned(changed, windowId);
}
