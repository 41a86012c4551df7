import type { TaskId } from '../../service/json/taskId';
import type { Outcome } from '../../service/response/outcome';
import type { TaskReport } from '../../service/response/taskReport';
import type { Destination } from '../destination';
import type { Scheduled } from './schedule';

/** A task at a service. Times are milliseconds since 1970. */
export interface FollowedTask extends Scheduled {
  /** Made of the row and the id. */
  readonly key: string;
  readonly row: number;
  readonly id: TaskId;
  readonly destination: Destination;
  readonly hasEnded: boolean;
}

/** A row of the list with those of its tasks that are to be checked. */
export interface FollowedRow {
  readonly row: number;
  readonly tasks: readonly FollowedTask[];
}

/** The store, as far as following needs it. */
export interface FollowedRows {
  /** Calls back with each row that has tasks to be checked, and again when they change; without tasks at the end. */
  onChange(listener: (rows: readonly FollowedRow[]) => void): void;
  /** The tasks that are checked if the user wants to know: the unfinished ones, or all if there are none. */
  tasksToRefresh(row: number): readonly FollowedTask[];
  /** Whether the result of a check of a row can be stored. */
  canStore(row: number): boolean;
  /**
   * Stores the result of a check if it differs from what is stored, unless the task has ended or lost its id meanwhile.
   * `isWanted`: the user asked, so a response that differs is stored even if its report is the same.
   */
  report(task: FollowedTask, outcome: Outcome<TaskReport>, isWanted: boolean): Promise<void>;
}
