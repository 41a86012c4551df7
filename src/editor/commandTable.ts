import { addDataset } from './datasets/addDataset';
import { clearAccessKey } from './datasets/clearAccessKey';
import { addDatasetFromClipboard, copyDatasetDefinition } from './datasets/copyDatasetDefinition';
import { removeDataset } from './datasets/removeDataset';
import { makeDefaultDataset, selectDefaultDataset } from './datasets/selectDefaultDataset';
import { setAccessKey } from './datasets/setAccessKey';
import { setWebhook, type WebhookDeps } from './datasets/setWebhook';
import { attachTaskId } from './following/attachTaskId';
import { copyTaskId } from './following/copyTaskId';
import { openSourceFile } from './following/openSourceFile';
import { type RefreshDeps, refreshAllTasks, refreshTask } from './following/refreshTask';
import { dismissImport, stopTracking, stopTrackingFocused } from './following/stopTracking';
import { trackTask } from './following/trackTask';
import { cancelImport } from './importing/cancelImport';
import { type ImportDeps, importAgain, importFile, importPicked, importSelection } from './importing/importFile';
import type { ReportDeps } from './importing/reportImport';
import { retryAnyway, retryImport } from './importing/retryImport';
import { chooseFieldOfTask, chooseMeaningOfStatus, mapResponses } from './mapping/mapResponses';
import { openDatasetsSetting } from './platform/settings';
import { editRequest } from './requests/editRequest';
import { copyAsCurl, type PreviewDeps, previewImport, previewQuery } from './requests/previewImport';
import { showLastResponse } from './requests/showLastResponse';
import { startSandbox } from './sandbox/startSandbox';
import { startSandboxAs } from './sandbox/startSandboxAs';

/** What a command does. VS Code gives the clicked thing and, in lists, all that are selected. */
export type Handler = (target: unknown, selected: unknown) => unknown;

/** Every command of package.json, named without its prefix, and what it does. */
export function commandTable(deps: ImportDeps & RefreshDeps & WebhookDeps & PreviewDeps & ReportDeps) {
  return {
    importFile: (target, selected) => importFile(deps, target, selected),
    importFiles: () => importPicked(deps),
    importFolder: (target, selected) => importFile(deps, target, selected),
    importAgain: (target, selected) => importAgain(deps, target, selected),
    importSelection: () => importSelection(deps),
    retryImport: (target, selected) => retryImport(deps, target, selected),
    retryAnyway: (target, selected) => retryAnyway(deps, target, selected),
    attachTaskId: (target) => attachTaskId(deps, target),
    dismissImport: (target, selected) => dismissImport(deps, target, selected),
    cancelImport: (target, selected) => cancelImport(deps, target, selected),
    cancelAllImports: () => deps.queue.cancel(),
    addDataset: () => addDataset(deps),
    setAccessKey: (target) => setAccessKey(deps, target),
    clearAccessKey: (target) => clearAccessKey(deps, target),
    removeDataset: (target) => removeDataset(deps, target),
    selectDefaultDataset: () => selectDefaultDataset(deps),
    makeDefaultDataset: (target) => makeDefaultDataset(deps, target),
    openDatasetSettings: () => openDatasetsSetting(),
    copyDatasetDefinition: (target) => copyDatasetDefinition(deps, target),
    addDatasetFromClipboard: () => addDatasetFromClipboard(deps),
    mapResponses: (target) => mapResponses(deps, target),
    editRequest: (target) => editRequest(deps, target),
    chooseTaskId: (target) => chooseFieldOfTask(deps, 'taskId', target),
    chooseStatus: (target) => chooseFieldOfTask(deps, 'status', target),
    chooseStatusMeaning: (target) => chooseMeaningOfStatus(deps, target),
    previewImport: (target) => previewImport(deps, target),
    previewQuery: (target) => previewQuery(deps, target),
    copyAsCurl: (target) => copyAsCurl(deps, target),
    setWebhook: (target) => setWebhook(deps, target),
    refreshTask: (target, selected) => refreshTask(deps, target, selected),
    refreshAllTasks: () => refreshAllTasks(deps),
    openSourceFile: (target, selected) => openSourceFile(deps, target, selected),
    copyTaskId: (target, selected) => copyTaskId(deps, target, selected),
    showLastResponse: (target) => showLastResponse(deps, target),
    stopTracking: (target, selected) => stopTracking(deps, target, selected),
    stopTrackingSelected: (focused) => stopTrackingFocused(deps, focused),
    trackTask: (target) => trackTask(deps, target),
    startSandbox: () => startSandbox(deps),
    startSandboxAs: () => startSandboxAs(deps),
    stopSandbox: () => deps.sandbox.stop(),
    showSandboxRequests: () => deps.sandbox.showRequests(),
    showLog: () => deps.messages.showLog(),
  } satisfies Record<string, Handler>;
}
