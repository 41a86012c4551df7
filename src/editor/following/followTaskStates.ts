import { Disposable } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { setContextKey } from '../platform/contextKeys';
import { listen } from '../platform/listen';
import { Redraws } from '../platform/redraws';

/** Min time between two updates: a large import changes the list many times a second. */
const PAUSE_MS = 1000;

/**
 * Updates the context key that names the states of all tasks, by which the palette offers only what fits one of them.
 * `exists` is whether there is a task database, since reading would create one.
 */
export function followTaskStates(list: TaskList, exists: () => boolean): Disposable {
  const changes = new Redraws<never>(PAUSE_MS);
  let told = '';
  const update = async () => {
    await list.loaded();
    const lasting = await list.history.lastingStates();
    const unfinished = [...list.destinations.values()].flatMap(({ states }) => [...states.keys()]);
    const states = [...new Set([...unfinished, ...lasting])].toSorted().join(' ');
    if (states === told) return;
    told = states;
    await setContextKey('taskStates', states);
  };
  const subscriptions = Disposable.from(
    changes,
    listen(list.events, 'change', () => changes.all()),
    // Where the task database cannot be read, the view says so.
    changes.event(() => void update().catch(() => {})),
  );
  if (exists()) changes.all();
  return subscriptions;
}
