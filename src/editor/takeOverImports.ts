import type { Disposable } from 'vscode';
import type { Marker } from '../tasks/marker';
import { Polling } from '../tasks/polling';
import type { TaskList } from '../tasks/taskList';
import { isOpen } from '../tasks/trackedTask';

/** How often is looked whether a window that has imports to send is gone. */
const PAUSE_MS = 1000;

/**
 * Goes on with imports that a window has left behind, for as long as there may be any. Where the marker is not set
 * nothing happens, and the store stays closed. What is found is told by the list's event `adopted`.
 */
export function takeOverImports(list: TaskList, openImports: Marker): Disposable {
  const polling = new Polling(async () => {
    const isRead = await list.sync().then(
      () => true,
      () => false,
    );
    // A store that cannot be read now may be another time.
    if (!isRead || list.tasks.some(({ phase }) => isOpen(phase))) return;
    polling.stop();
    await list.rest().catch(() => {});
  }, PAUSE_MS);
  if (openImports.isSet) polling.start();
  return { dispose: () => polling.stop() };
}
