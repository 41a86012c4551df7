import { Disposable } from 'vscode';
import { Polling } from '../../tasks/timing/polling';
import { listen } from '../platform/listen';
import { historyKept } from '../platform/settings';
import type { Services } from '../services/services';
import { attachTaskId } from './attachTaskId';
import { clearFinished } from './clearFinished';
import { copyTaskId } from './copyTaskId';
import { followTaskStates } from './followTaskStates';
import { openSourceFile } from './openSourceFile';
import { refreshAllTasks, refreshTask } from './refreshTask';
import { type RemoveServices, removeSelected, removeTask } from './removeTask';
import { replaceTaskKey } from './replaceTaskKey';
import { trackTask } from './trackTask';

/** Registers the commands for tracked tasks, and begins to send and to follow what this window serves. */
export function registerFollowing(services: RemoveServices & Pick<Services, 'store'>): Disposable {
  services.commands.handle(
    {
      'datasetImport.refreshTask': (target, selected) => refreshTask(services, target, selected),
      'datasetImport.refreshAllTasks': () => refreshAllTasks(services),
      'datasetImport.trackTask': (target) => trackTask(services, target),
      'datasetImport.replaceAccessKey': (target) => replaceTaskKey(services, target),
      'datasetImport.attachTaskId': (target) => attachTaskId(services, target),
      'datasetImport.copyTaskId': (target, selected) => copyTaskId(services, target, selected),
      'datasetImport.openSourceFile': (target, selected) => openSourceFile(services, target, selected),
      'datasetImport.removeTask': (target, selected) => removeTask(services, target, selected),
      'datasetImport.removeSelectedTasks': (focused) => removeSelected(services, focused),
      'datasetImport.clearFinished': () => clearFinished(services),
      'datasetImport.showMoreTasks': (node) => services.tasksView.showMore(node),
    },
    services.messages,
  );
  services.serving.start();
  // The cause of the errors, such as a bad key, may be gone.
  const listening = services.datasets.onDidChange(() => services.follower.endPauses());
  return Disposable.from(listening, services.follower, clearHistory(services), followTaskStates(services));
}

/** How often a window clears the history and looks for texts that no import needs. */
const PAUSE_MS = 3_600_000;

/**
 * Removes ended tasks once they are older, or more, than the settings keep, and texts that no import needs any more. A window
 * clears tasks only while it serves a destination: otherwise nothing is added.
 */
export function clearHistory({
  list,
  serving,
  sources,
  clock,
}: Pick<Services, 'list' | 'serving' | 'sources' | 'clock'>): Disposable {
  let nextMs = clock.monotonicMs();
  const clearing = listen(serving.events, 'turn', ({ held }) => {
    if (held.size === 0 || clock.monotonicMs() < nextMs) return;
    nextMs = clock.monotonicMs() + PAUSE_MS;
    // If the store cannot be written now, try again in an hour.
    list.clearEnded(historyKept()).catch(() => {});
  });
  const sweeping = new Polling(() => sources.sweep(list.history, clock.now()).catch(() => {}), PAUSE_MS);
  sweeping.start();
  return Disposable.from(clearing, { dispose: () => sweeping.stop() });
}
