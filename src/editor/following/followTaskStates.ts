import { Disposable } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { setContextKey } from '../platform/contextKeys';
import { listen } from '../platform/listen';
import { Redraws } from '../platform/redraws';

/** Min time between two updates: a large import changes the list many times a second. */
const PAUSE_MS = 1000;

/**
 * Updates the context key that names the states of all tasks, by which the palette offers only what fits one of them.
 * `exists` tells whether there is a task database, since reading would make one.
 */
export function followTaskStates(list: TaskList, exists: () => boolean): Disposable {
  const changes = new Redraws<TrackedTask>(PAUSE_MS);
  let known: ReadonlySet<string> = new Set();
  let unfinished = '';
  const update = async (changed: readonly TrackedTask[] | undefined) => {
    const nowUnfinished = [...new Set(list.unfinished.map(taskState))].toSorted().join(' ');
    const isSame = unfinished === nowUnfinished && changed?.every((task) => known.has(taskState(task)));
    // Counting reads all tasks.
    if (isSame) return;
    unfinished = nowUnfinished;
    const groups = await list.history.groups('state');
    known = new Set(groups.flatMap(({ value }) => value ?? []));
    await setContextKey('taskStates', [...known].toSorted().join(' '));
  };
  const subscriptions = Disposable.from(
    changes,
    listen(list.events, 'change', (change) => (change.kind === 'list' ? changes.all() : changes.rows(change.tasks))),
    // Where the task database cannot be read, the view says so.
    changes.event((changed) => void update(changed).catch(() => {})),
  );
  if (exists()) changes.all();
  return subscriptions;
}
