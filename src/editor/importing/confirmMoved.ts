import { l10n } from 'vscode';
import { isAt } from '../../tasks/destination';
import type { TrackedTask } from '../../tasks/trackedTask';
import { hostOf } from '../datasets/findDataset';
import { formatCount } from '../platform/formatNumbers';
import { window } from '../platform/window';
import { taskLabel } from '../rows/taskItem';
import type { Services } from '../services/services';

/**
 * Asks once per dataset whether imports whose dataset has another origin now are to be sent there. Resolves to the
 * tasks that may be sent, with their new origins.
 */
export async function confirmMoved(
  { datasets }: Pick<Services, 'datasets'>,
  wanted: readonly TrackedTask[],
): Promise<TrackedTask[]> {
  const confirmed: TrackedTask[] = [];
  for (const [name, tasks] of Map.groupBy(wanted, ({ dataset }) => dataset)) {
    const baseUrl = datasets.find(name)?.baseUrl;
    const moved = baseUrl === undefined ? [] : tasks.filter((task) => !isAt(task, baseUrl));
    const [first] = moved;
    confirmed.push(...tasks.filter((task) => !moved.includes(task)));
    if (baseUrl === undefined || first === undefined) continue;
    const question =
      moved.length === 1
        ? l10n.t("Dataset '{0}' moved to {1}. Send '{2}' there?", name, baseUrl.host, taskLabel(first))
        : l10n.t("Dataset '{0}' moved to {1}. Send {2} files there?", name, baseUrl.host, formatCount(moved.length));
    const detail = l10n.t('The import was started for {0}.', hostOf(first.origin));
    if (await window.confirm(question, detail, l10n.t('Send to {0}', baseUrl.host)))
      confirmed.push(...moved.map((task) => ({ ...task, origin: baseUrl.origin })));
  }
  return confirmed;
}
