import type { Responses, TrackedTask } from '../trackedTask';

/** What can change in a task. */
export type TaskChange = Partial<
  Pick<
    TrackedTask,
    | 'dataset'
    | 'origin'
    | 'source'
    | 'taskId'
    | 'taskIdFrom'
    | 'begunIn'
    | 'phase'
    | 'attempts'
    | 'checkedMs'
    | 'lastQueryError'
  > &
    Responses
>;

/** A task after a change. */
export function changedTask(task: TrackedTask, change: TaskChange): TrackedTask {
  const { importResponse, lastResponse, ...rest } = change;
  return {
    ...task,
    ...rest,
    hasImportResponse: task.hasImportResponse || importResponse !== undefined,
    hasLastResponse: task.hasLastResponse || lastResponse !== undefined,
  };
}
