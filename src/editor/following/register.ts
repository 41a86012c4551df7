import { Disposable } from 'vscode';
import type { Follower } from '../../tasks/following/follower';
import type { Clock } from '../../tasks/timing/clock';
import type { Messages } from '../platform/messages';
import type { Commands } from '../start/commands';
import type { TasksView } from '../tree/tasksView';
import { attachTaskId } from './attachTaskId';
import { clearFinished } from './clearFinished';
import { clearHistory } from './clearHistory';
import { copyTaskId } from './copyTaskId';
import { followTaskStates } from './followTaskStates';
import { openSourceFile } from './openSourceFile';
import { type RefreshDeps, refreshAllTasks, refreshTask } from './refreshTask';
import { type RemoveDeps, removeSelected, removeTask } from './removeTask';
import { replaceTaskKey } from './replaceTaskKey';
import { trackTask } from './trackTask';

/** Registers the commands for tracked tasks, and begins to follow them. */
export function registerFollowing(
  deps: RefreshDeps &
    RemoveDeps & {
      readonly tasksView: TasksView;
      readonly follower: Follower;
      readonly messages: Messages;
      readonly clock: Clock;
      readonly file: { readonly exists: boolean };
      readonly commands: Commands;
    },
): Disposable {
  deps.commands.handle(
    {
      'datasetImport.refreshTask': (target, selected) => refreshTask(deps, target, selected),
      'datasetImport.refreshAllTasks': () => refreshAllTasks(deps),
      'datasetImport.trackTask': (target) => trackTask(deps, target),
      'datasetImport.replaceAccessKey': (target) => replaceTaskKey(deps, target),
      'datasetImport.attachTaskId': (target) => attachTaskId(deps, target),
      'datasetImport.copyTaskId': (target, selected) => copyTaskId(deps, target, selected),
      'datasetImport.openSourceFile': (target, selected) => openSourceFile(deps, target, selected),
      'datasetImport.removeTask': (target, selected) => removeTask(deps, target, selected),
      'datasetImport.removeSelectedTasks': (focused) => removeSelected(deps, focused),
      'datasetImport.clearFinished': () => clearFinished(deps),
      'datasetImport.showMoreTasks': (node) => deps.tasksView.showMore(node),
    },
    deps.messages,
  );
  deps.follower.start();
  // The cause of the errors, such as a bad key, may be gone.
  const listening = deps.datasets.onDidChange(() => deps.follower.endPauses());
  return Disposable.from(
    listening,
    { dispose: () => void deps.follower.stop() },
    clearHistory(deps.list),
    followTaskStates(deps.list, () => deps.file.exists),
  );
}
