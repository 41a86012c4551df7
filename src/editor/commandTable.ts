import { addDataset } from './commands/addDataset';
import { clearAccessKey } from './commands/clearAccessKey';
import { copyTaskId } from './commands/copyTaskId';
import { type ImportDeps, importFile } from './commands/importFile';
import { openSourceFile } from './commands/openSourceFile';
import { type RefreshDeps, refreshAllTasks, refreshTask } from './commands/refreshTask';
import { removeDataset } from './commands/removeDataset';
import { selectDefaultDataset } from './commands/selectDefaultDataset';
import { setAccessKey } from './commands/setAccessKey';
import { setWebhook, type WebhookDeps } from './commands/setWebhook';
import { showLastAnswer } from './commands/showLastAnswer';
import { startSandbox } from './commands/startSandbox';
import { stopTracking } from './commands/stopTracking';
import { trackTask } from './commands/trackTask';
import { openDatasetsSetting } from './settings';

/** What a command does. VS Code gives the clicked thing and, in lists, all that are selected. */
export type Handler = (target: unknown, selected: unknown) => unknown;

/** Every command of package.json, named without its prefix, and what it does. */
export function commandTable(deps: ImportDeps & RefreshDeps & WebhookDeps & { now: () => number }) {
  return {
    importFile: (target, selected) => importFile(deps, target, selected),
    addDataset: () => addDataset(deps),
    setAccessKey: (target) => setAccessKey(deps, target),
    clearAccessKey: (target) => clearAccessKey(deps, target),
    removeDataset: (target) => removeDataset(deps, target),
    selectDefaultDataset: (target) => selectDefaultDataset(deps, target),
    makeDefaultDataset: (target) => selectDefaultDataset(deps, target),
    openDatasetSettings: () => openDatasetsSetting(),
    setWebhook: (target) => setWebhook(deps, target),
    refreshTask: (target, selected) => refreshTask(deps, target, selected),
    refreshAllTasks: () => refreshAllTasks(deps),
    openSourceFile: (target, selected) => openSourceFile(deps, target, selected),
    copyTaskId: (target, selected) => copyTaskId(deps, target, selected),
    showLastAnswer: (target, selected) => showLastAnswer(deps, target, selected),
    stopTracking: (target, selected) => stopTracking(deps, target, selected),
    trackTask: (target) => trackTask(deps, target),
    startSandbox: () => startSandbox(deps),
    stopSandbox: () => deps.sandbox.stop(),
    showSandboxRequests: () => deps.sandbox.showRequests(),
    showLog: () => deps.messages.showLog(),
  } satisfies Record<string, Handler>;
}
