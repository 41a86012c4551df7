import type { GenericSchema } from 'valibot';
import type { FaultsByPath } from '../faults';
import type { ResponseData } from '../http/response';
import type { L10n } from '../l10n';
import type { SandboxTask, TaskStage } from '../sandboxTasks';

/** The names that a sandbox uses where the interface is not documented, and what goes wrong with its requests. */
export interface Profile {
  /** The body of query-task. */
  readonly query: {
    /** Takes the task's ID out of the body. */
    readonly taskId: GenericSchema<unknown, string>;
    /** What the body must be, as a sentence. */
    readonly wanted: (l10n: L10n) => string;
  };
  /** The `data` of file-task's response. */
  readonly accepted: TaskShape;
  /** The `data` of query-task's response. */
  readonly found: TaskShape;
  /** The event that a webhook gets when the task has ended. */
  readonly event: TaskShape;
  readonly faults: (l10n: L10n) => FaultsByPath;
}

/** Describes a task as this profile does. */
export type TaskShape = (task: SandboxTask, stage: TaskStage) => ResponseData;
