import { Disposable } from 'vscode';
import { attachTaskId } from './attachTaskId';
import { clearFinished } from './clearFinished';
import { clearHistory } from './clearHistory';
import { copyTaskId } from './copyTaskId';
import { followTaskStates } from './followTaskStates';
import { openSourceFile } from './openSourceFile';
import { refreshAllTasks, refreshTask } from './refreshTask';
import { type RemoveServices, removeSelected, removeTask } from './removeTask';
import { replaceTaskKey } from './replaceTaskKey';
import { trackTask } from './trackTask';

/** Registers the commands for tracked tasks, and begins to send and to follow what this window serves. */
export function registerFollowing(services: RemoveServices, storeExists: () => boolean): Disposable {
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
  return Disposable.from(
    listening,
    services.follower,
    clearHistory(services),
    followTaskStates(services.list, storeExists),
  );
}
