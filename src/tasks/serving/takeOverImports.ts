import type { TaskList } from '../store/taskList';
import { Polling } from '../timing/polling';

/** How often the store is asked whether a window has left imports: 0.2 ms each time, and 2 to 10 ms to open it. */
const PAUSE_MS = 1000;

/**
 * Takes over imports of windows that are gone, whether they closed before this one started or later. The store is opened
 * after activation, and only where there is one. The list's event `adopted` names those imports.
 */
export function takeOverImports(list: TaskList): { dispose(): void } {
  // A store that cannot be read now may be readable the next time.
  const polling = new Polling(() => list.takeOver().catch(() => {}), PAUSE_MS);
  polling.start();
  return { dispose: () => polling.stop() };
}
