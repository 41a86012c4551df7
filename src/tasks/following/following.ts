import { Polling } from '../timing/polling';
import type { Refresher } from './refresher';

/**
 * Looks again and again which tasks are due, and asks about them. What is asked is not waited for: each destination has
 * turns of its own, and one that is silent or slow holds up no other. `onError` is told what goes wrong besides.
 */
export function following(refresher: Refresher, pauseMs: number, onError: (error: unknown) => void): Polling {
  return new Polling(async (signal) => void refresher.refreshUnfinished(signal).catch(onError), pauseMs);
}
