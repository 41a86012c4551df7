import { l10n } from 'vscode';
import { isAt } from '../../tasks/destination';
import type { TrackedTask } from '../../tasks/trackedTask';
import { type DatasetDeps, hostOf } from '../datasets/findDataset';
import { window } from '../platform/window';
import { taskLabel } from '../tree/taskItem';

/**
 * Asks, of imports whose dataset has moved to another origin, whether they are to be sent there, once a dataset. Gives
 * all that may be sent, each for the origin that it is to be sent to.
 */
export async function confirmMoved(
  { datasets }: Pick<DatasetDeps, 'datasets'>,
  wanted: readonly TrackedTask[],
): Promise<TrackedTask[]> {
  const settled: TrackedTask[] = [];
  for (const [name, tasks] of Map.groupBy(wanted, ({ dataset }) => dataset)) {
    const baseUrl = datasets.find(name)?.baseUrl;
    const moved = baseUrl === undefined ? [] : tasks.filter((task) => !isAt(task, baseUrl));
    const [first] = moved;
    settled.push(...tasks.filter((task) => !moved.includes(task)));
    if (baseUrl === undefined || first === undefined) continue;
    const question =
      moved.length === 1
        ? l10n.t("Dataset '{0}' has moved to {1}. Send '{2}' there?", name, baseUrl.host, taskLabel(first))
        : l10n.t("Dataset '{0}' has moved to {1}. Send {2} files there?", name, baseUrl.host, moved.length);
    const detail = l10n.t('They were meant for {0}.', hostOf(first.origin));
    const send = l10n.t('Send to {0}', baseUrl.host);
    const response = await window.showWarningMessage(question, { modal: true, detail }, send);
    if (response === send) settled.push(...moved.map((task) => ({ ...task, origin: baseUrl.origin })));
  }
  return settled;
}
