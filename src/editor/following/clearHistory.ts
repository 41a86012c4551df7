import type { Disposable } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { Polling } from '../../tasks/timing/polling';
import { historyKept } from '../platform/settings';

/** How often a window asks whether it is its turn to clear, which is one window's an hour. */
const PAUSE_MS = 600_000;

/** Removes tasks that have ended from the task database once they are older, or more, than the settings keep. */
export function clearHistory(list: TaskList): Disposable {
  // A store that cannot be written now may be writable the next time.
  const polling = new Polling(() => list.clearEnded(historyKept()).catch(() => {}), PAUSE_MS);
  polling.start();
  return { dispose: () => polling.stop() };
}
