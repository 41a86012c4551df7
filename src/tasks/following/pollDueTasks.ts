import { Polling } from '../timing/polling';
import type { Refresher } from './refresher';

/**
 * Asks again and again about the tasks that are due. Does not wait for the responses, as a slow or silent destination
 * would delay the others. `onError` gets unexpected errors.
 */
export function pollDueTasks(refresher: Refresher, pauseMs: number, onError: (error: unknown) => void): Polling {
  return new Polling(async (signal) => void refresher.refreshUnfinished(signal).catch(onError), pauseMs);
}
