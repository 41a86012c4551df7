import { Disposable } from 'vscode';
import { Polling } from '../../tasks/timing/polling';
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
