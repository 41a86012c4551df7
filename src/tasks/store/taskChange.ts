import { type EarlierImport, hasEnded, type Responses, type TrackedTask, taskState } from '../trackedTask';

/** What can change in a task. */
export type TaskChange = Partial<
  Pick<
    TrackedTask,
    | 'dataset'
    | 'origin'
    | 'source'
    | 'taskId'
    | 'taskIdFrom'
    | 'batch'
    | 'createdMs'
    | 'earlier'
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
  const keeps = !isBegunAgain(task, change);
  return {
    ...task,
    ...rest,
    hasImportResponse: (keeps && task.hasImportResponse) || importResponse !== undefined,
    hasLastResponse: (keeps && task.hasLastResponse) || lastResponse !== undefined,
  };
}

/** Whether a change begins to import a file again: the responses of the import before go. */
export function isBegunAgain({ phase }: Pick<TrackedTask, 'phase'>, change: TaskChange): boolean {
  return hasEnded(phase) && change.phase?.kind === 'queued';
}

/** What changes as a file is imported again: nothing of the import before is taken for the new one's. */
export function begunAgain(task: TrackedTask, begunIn: string, nowMs: number): TaskChange {
  return {
    ...{ phase: { kind: 'queued' }, begunIn, createdMs: nowMs, earlier: earlierOf(task) ?? task.earlier },
    ...{ taskId: undefined, taskIdFrom: undefined, checkedMs: undefined, lastQueryError: undefined },
  };
}

function earlierOf(task: TrackedTask): EarlierImport | undefined {
  const { phase, taskId, attempts, createdMs } = task;
  if (phase.kind !== 'accepted' || taskState(task) === 'failed') return undefined;
  return { ...(taskId !== undefined && { taskId }), atMs: attempts.at(-1)?.endedMs ?? createdMs };
}
