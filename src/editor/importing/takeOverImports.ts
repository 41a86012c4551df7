import type { Disposable } from 'vscode';
import type { Marker } from '../../tasks/store/marker';
import type { TaskList } from '../../tasks/store/taskList';
import { Polling } from '../../tasks/timing/polling';

/** How often is looked whether a window that has imports to send is gone. */
const PAUSE_MS = 1000;

/**
 * Goes on with imports that a window has left behind, be it before this one began or while it runs. Where the marker is
 * not set there are none, and the store stays closed. What is found is told by the list's event `adopted`.
 */
export function takeOverImports(list: TaskList, openImports: Marker): Disposable {
  const polling = new Polling(async () => {
    // A store that cannot be read now may be another time.
    if (openImports.isSet) await list.takeOver().catch(() => {});
  }, PAUSE_MS);
  polling.start();
  return { dispose: () => polling.stop() };
}
