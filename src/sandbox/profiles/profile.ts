import type { GenericSchema } from 'valibot';
import type { FaultsByPath } from '../faults/faultSequence';
import type { Gate } from '../http/gate';
import type { ReceivedPart } from '../http/readForm';
import type { ResponseData } from '../http/response';
import type { FileChoice } from '../operations/chooseFile';
import type { SandboxTask, TaskId, TaskStage } from '../sandboxTask';

/**
 * What a sandbox does where the interface is not documented: names, shapes and ids. Tasks, their stages and the common
 * checks are the same in all profiles.
 */
export interface Profile {
  /** Checks a request before its body is read; created for each sandbox. */
  readonly gate: (accessKey: string) => Gate;
  /** Finds the file to import among the parts of a form. */
  readonly chooseFile: (parts: readonly ReceivedPart[]) => FileChoice;
  /** A task's id, made of a UUID of its own. */
  readonly idFrom: (uuid: string) => TaskId;
  /** The body of query-task. */
  readonly query: {
    /** Takes the task's id out of the body. */
    readonly taskId: GenericSchema<unknown, TaskId>;
    /** Ends the sentence "The body must be …". */
    readonly wanted: string;
  };
  /** The `data` of file-task's response. */
  readonly accepted: TaskShape;
  /** The `data` of query-task's response. */
  readonly found: TaskShape;
  /** The event that a webhook gets when the task has ended. */
  readonly event: TaskShape;
  /** What goes wrong with its requests. */
  readonly faults: FaultsByPath;
}

/** Describes a task as this profile does. */
export type TaskShape = (task: SandboxTask, stage: TaskStage) => ResponseData;

/** An event whose `data` is what query-task would respond. */
export function eventWith(found: TaskShape): TaskShape {
  return (task, stage) => ({ event: 'TASK_FINISHED', data: found(task, stage) });
}
