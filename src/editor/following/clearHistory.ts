import { Disposable } from 'vscode';
import { Polling } from '../../tasks/timing/polling';
import { historyKept } from '../platform/settings';
import type { Services } from '../services/services';

/** How often a window asks whether it is its turn to clear, which is one window's an hour. */
const PAUSE_MS = 600_000;
/** How often a window looks for texts that no import needs. */
const SWEEP_PAUSE_MS = 3_600_000;

/**
 * Removes tasks that have ended from the task database once they are older, or more, than the settings keep, and the texts
 * that no import needs any more.
 */
export function clearHistory({ list, sources, clock }: Pick<Services, 'list' | 'sources' | 'clock'>): Disposable {
  // A store that cannot be written now may be writable the next time.
  const clearing = new Polling(() => list.clearEnded(historyKept()).catch(() => {}), PAUSE_MS);
  const sweeping = new Polling(() => sources.sweep(list.history, clock.now()).catch(() => {}), SWEEP_PAUSE_MS);
  for (const polling of [clearing, sweeping]) polling.start();
  return Disposable.from(...[clearing, sweeping].map((polling) => ({ dispose: () => polling.stop() })));
}
