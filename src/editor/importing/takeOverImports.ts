import type { Disposable } from 'vscode';
import type { Marker } from '../../tasks/store/marker';
import type { TaskList } from '../../tasks/store/taskList';
import { Polling } from '../../tasks/timing/polling';

/** Time between two checks. */
const PAUSE_MS = 1000;

/**
 * Resumes the queued imports of windows that were closed; the task list reports them with its event `adopted`. While the
 * marker is not set there are none, and the task database is not opened.
 */
export function takeOverImports(list: TaskList, openImports: Marker): Disposable {
  const polling = new Polling(async () => {
    // A database that cannot be read is tried again at the next check.
    if (openImports.isSet) await list.takeOver().catch(() => {});
  }, PAUSE_MS);
  polling.start();
  return { dispose: () => polling.stop() };
}
