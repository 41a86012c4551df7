import type { GenericSchema } from 'valibot';
import type { TroublesByPath } from '../faults/troubles';
import type { AnswerData } from '../http/answer';
import type { Gate } from '../http/gate';
import type { ReceivedPart } from '../http/readForm';
import type { FileChoice } from '../operations/chooseFile';
import type { SandboxTask, TaskId, TaskStage } from '../sandboxTask';

/**
 * How a service of this family speaks where INTERFACE.md says "not shown". The tasks, their stages and the checks that
 * all share are not a profile's business: it only chooses words and shapes.
 */
export interface Profile {
  /** Looks at a request before its body is read; made anew for each sandbox. */
  readonly gate: (accessKey: string) => Gate;
  /** Finds the file to import among the parts of a form (INTERFACE.md, 4.3, form parts: not shown). */
  readonly chooseFile: (parts: readonly ReceivedPart[]) => FileChoice;
  /** A task's id, made of a UUID of its own. */
  readonly idFrom: (uuid: string) => TaskId;
  /** The body of query-task (INTERFACE.md, 4.2, request fields: not shown). */
  readonly query: {
    /** Takes the task's id out of the body. */
    readonly taskId: GenericSchema<unknown, TaskId>;
    /** Ends the sentence "The body must be …". */
    readonly wanted: string;
  };
  /** The `data` of file-task's answer. */
  readonly accepted: TaskShape;
  /** The `data` of query-task's answer. */
  readonly found: TaskShape;
  /** The event that a webhook gets when the task has ended (INTERFACE.md, 6: not shown). */
  readonly event: TaskShape;
  /** What goes wrong with its requests. */
  readonly troubles: TroublesByPath;
}

/** Tells of a task in the words of a profile. */
export type TaskShape = (task: SandboxTask, stage: TaskStage) => AnswerData;

/** An event whose `data` is what query-task would answer. */
export function eventWith(found: TaskShape): TaskShape {
  return (task, stage) => ({ event: 'TASK_FINISHED', data: found(task, stage) });
}
