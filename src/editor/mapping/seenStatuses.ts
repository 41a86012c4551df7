import { reportsOf, singlesOf } from '../../tasks/severalTasks';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { statusOf, unclearError } from '../rows/taskNeeds';

/** The statuses that were seen of tasks, those that are unknown now first. */
export function seenStatuses(tasks: readonly TrackedTask[]): string[] {
  return [...new Set([...unknownStatuses(tasks), ...seenOfEach(tasks).flat()])];
}

/** The statuses that tasks have now and that have no meaning; those of the oldest task first. */
export function unknownStatuses(tasks: readonly TrackedTask[]): string[] {
  // What is unclear beside an error is the error, and not the status.
  const unknown = tasks
    .flatMap(singlesOf)
    .filter((task) => taskState(task) === 'unknown' && unclearError(task) === undefined);
  return [...new Set(unknown.flatMap((task) => statusOf(task) ?? []).toReversed())];
}

/** The statuses that were seen of each task, in the order in which they came. */
export function seenOfEach(tasks: readonly TrackedTask[]): (readonly string[])[] {
  return tasks.flatMap(reportsOf).flatMap(({ status, seen }) => {
    // Where a status is read no more, what was seen before was none.
    const values = status === undefined ? [] : (seen?.values ?? [status]);
    return values.length === 0 ? [] : [values];
  });
}
