import { Disposable } from 'vscode';
import { Polling } from '../../tasks/timing/polling';
import { listen } from '../platform/listen';
import { historyKept } from '../platform/settings';
import type { Services } from '../services/services';
import { on, onNothing, onOne } from '../targets';
import type { TasksView } from '../tree/tasksView';
import { attachTaskId } from './attachTaskId';
import { clearFinished } from './clearFinished';
import { copyTaskId } from './copyTaskId';
import { exportTasks } from './exportTasks';
import { followTaskStates } from './followTaskStates';
import { openSourceFile } from './openSourceFile';
import { refreshAllTasks, refreshTask } from './refreshTask';
import { removeTask } from './removeTask';
import { replaceTaskKey } from './replaceTaskKey';
import { trackTask } from './trackTask';

/** Registers the commands on tasks, and starts to serve this window's destinations. */
export function registerTaskCommands(services: Services & { readonly tasksView: TasksView }): Disposable {
  services.commands.handle(
    {
      'datasetImport.refreshTask': on(['task', 'batch', 'group'], (target) => refreshTask(services, target)),
      'datasetImport.refreshAllTasks': onNothing(() => refreshAllTasks(services)),
      'datasetImport.trackTask': onOne(['dataset'], (row) => trackTask(services, row)),
      'datasetImport.replaceAccessKey': on(['task'], (target) => replaceTaskKey(services, target)),
      'datasetImport.attachTaskId': on(['task'], (target) => attachTaskId(services, target)),
      'datasetImport.copyTaskId': on(['task', 'batch', 'group'], (target) => copyTaskId(services, target)),
      'datasetImport.openSourceFile': on(['task'], (target) => openSourceFile(services, target)),
      'datasetImport.removeTask': on(['task', 'batch', 'group'], (target) => removeTask(services, target)),
      'datasetImport.clearFinished': onNothing(() => clearFinished(services)),
      'datasetImport.exportTasks': onOne(['batch'], (row) => exportTasks(services, row)),
      'datasetImport.exportAllTasks': onNothing(() => exportTasks(services, undefined)),
      'datasetImport.showMoreTasks': onOne(['more'], (row) => row && services.tasksView.showMore(row)),
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
