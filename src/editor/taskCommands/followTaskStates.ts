import type { Disposable } from 'vscode';
import type { TaskState } from '../../tasks/trackedTask';
import { afterChanges } from '../announcing/afterChanges';
import { setContextKey } from '../platform/contextKeys';
import type { Services } from '../services/services';

/** Time between two updates. */
const PAUSE_MS = 1000;

/**
 * Updates the context key that names the states of all tasks, by which the palette offers only what fits one of them. Makes
 * no task database if there is none.
 */
export function followTaskStates({ list, store }: Pick<Services, 'list' | 'store'>): Disposable {
  let shown = '';
  const show = async (states: readonly TaskState[]) => {
    const names = [...new Set(states)].toSorted().join(' ');
    if (names === shown) return;
    shown = names;
    await setContextKey('taskStates', names);
  };
  const update = async () => {
    await list.loaded();
    const lasting = await list.history.lastingStates();
    await show([...[...list.destinations.values()].flatMap(({ states }) => [...states.keys()]), ...lasting]);
  };
  // Where the task database cannot be read, the view says so.
  const updating = afterChanges(
    list,
    () => PAUSE_MS,
    update,
    () => {},
  );
  if (store.exists) updating.soon();
  else void show([]);
  return updating;
}
