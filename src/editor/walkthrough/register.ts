import { Disposable } from 'vscode';
import { SANDBOX_NAME } from '../../service/contract/dataset';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { setContextKey } from '../platform/contextKeys';
import { listen } from '../platform/listen';
import type { Services } from '../services/services';

/** Sets the context keys that complete the steps of the walkthrough, whichever way the user got there. */
export function registerWalkthrough({ datasets, list }: Pick<Services, 'datasets' | 'list'>): Disposable {
  const reached = new Set<string>();
  const reach = (name: 'hasOwnDataset' | 'hasImported' | 'hasEndedTask' | 'hasOwnImport') => {
    if (reached.has(name)) return;
    reached.add(name);
    void setContextKey(name, true);
  };
  const checkDatasets = () => {
    if (datasets.all.some((dataset) => !datasets.isSandbox(dataset))) reach('hasOwnDataset');
  };
  const checkTask = (task: TrackedTask) => {
    if (task.source === undefined || task.phase.kind !== 'accepted') return;
    reach('hasImported');
    if (task.dataset !== SANDBOX_NAME) reach('hasOwnImport');
    const state = taskState(task);
    if (state === 'succeeded' || state === 'failed') reach('hasEndedTask');
  };
  checkDatasets();
  return Disposable.from(
    datasets.onDidChange(checkDatasets),
    listen(list.events, 'change', (change) => {
      if (change.kind === 'tasks') change.tasks.forEach(checkTask);
    }),
  );
}
