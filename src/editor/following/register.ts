import { Disposable } from 'vscode';
import type { Clock } from '../../tasks/timing/clock';
import type { Messages } from '../platform/messages';
import { registerCommands } from '../platform/registerCommands';
import type { TasksView } from '../tree/tasksView';
import { attachTaskId } from './attachTaskId';
import { copyTaskId } from './copyTaskId';
import { openSourceFile } from './openSourceFile';
import { type RefreshDeps, refreshAllTasks, refreshTask } from './refreshTask';
import { dismissImport, stopTracking, stopTrackingFocused } from './stopTracking';
import { trackTask } from './trackTask';

/** Registers the commands for tracked tasks. */
export function registerFollowing(
  deps: RefreshDeps & { readonly tasksView: TasksView; readonly messages: Messages; readonly clock: Clock },
): Disposable {
  const commands = registerCommands(
    {
      refreshTask: (target, selected) => refreshTask(deps, target, selected),
      refreshAllTasks: () => refreshAllTasks(deps),
      trackTask: (target) => trackTask(deps, target),
      attachTaskId: (target) => attachTaskId(deps, target),
      copyTaskId: (target, selected) => copyTaskId(deps, target, selected),
      openSourceFile: (target, selected) => openSourceFile(deps, target, selected),
      stopTracking: (target, selected) => stopTracking(deps, target, selected),
      stopTrackingSelected: (focused) => stopTrackingFocused(deps, focused),
      dismissImport: (target, selected) => dismissImport(deps, target, selected),
    },
    deps.messages,
  );
  // The cause of the errors, such as a bad key, may be gone.
  const retrying = deps.datasets.onDidChange(() => deps.refresher.endPauses());
  return Disposable.from(commands, retrying);
}
