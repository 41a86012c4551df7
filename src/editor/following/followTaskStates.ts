import type { Disposable } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { afterChanges } from '../platform/afterChanges';
import { setContextKey } from '../platform/contextKeys';

/** Time between two updates. */
const PAUSE_MS = 1000;

/**
 * Updates the context key that names the states of all tasks, by which the palette offers only what fits one of them.
 * `exists` is whether there is a task database, since reading would create one.
 */
export function followTaskStates(list: TaskList, exists: () => boolean): Disposable {
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
  // Where the task database cannot be read, the view says so.
  const updating = afterChanges(
    list,
    () => PAUSE_MS,
    update,
    () => {},
  );
  if (exists()) updating.soon();
  return updating;
}
