import { questionsOf, type Refresher } from '../../../../src/tasks/following/refresher';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { isUnfinished } from '../../../../src/tasks/trackedTask';

/** Asks automatically about every task of a list that has not ended, as if all of them were due. */
export async function askUnfinished(
  refresher: Refresher,
  { unfinished }: TaskList,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const asking = unfinished
    .filter(isUnfinished)
    .flatMap((task) => questionsOf(task).map((question) => refresher.ask(task, question, signal)));
  await Promise.all(asking);
}
