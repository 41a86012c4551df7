import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { KnownMeaning } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { statusMeaning } from '../../service/response/statusMeaning';
import type { FileRow } from '../../tasks/store/model';
import { chooseDataset } from '../datasets/chooseDataset';
import type { DatasetNode } from '../datasets/datasetNode';
import { datasetAt } from '../datasets/findDataset';
import { dialogTitle } from '../platform/commandTitle';
import { formatMeaning } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { separator } from '../platform/window';
import type { Services } from '../services';
import { setMeanings } from './changeMapping';
import { distinctReports, reportIn } from './responses';

type Row = QuickPickItem & { readonly status?: string; readonly saves?: true };

const meanings = ['running', 'succeeded', 'failed'] as const;
const icons = { running: 'sync', succeeded: 'pass', failed: 'error' } as const;
const cycle: readonly (KnownMeaning | undefined)[] = [undefined, ...meanings];

/** Lets the user set what each status of a dataset means, the status of a row first. */
export async function mapStatuses(services: Services, of: FileRow | DatasetNode | undefined): Promise<void> {
  if (of !== undefined && 'import' in of) {
    const status = of.tasks.find((task) => task.meaning === 'unknown')?.status ?? of.tasks[0]?.status;
    return showStatuses(services, datasetAt(services, of), status ?? undefined);
  }
  const dataset = await chooseDataset(services, of, dialogTitle('mapStatuses'));
  if (dataset !== undefined) await showStatuses(services, dataset);
}

/**
 * Shows every status of a dataset with its meaning. Enter goes on to the next meaning, a button sets one, and Save saves
 * what was changed. `status` has the focus at first.
 */
export async function showStatuses(services: Services, dataset: Dataset, status?: string): Promise<void> {
  const before = new Map<string, KnownMeaning>(Object.entries(dataset.contract.queryTask.statusMeanings));
  const chosen = new Map(before);
  const own = status === undefined ? [] : [status];
  const statuses = [...new Set([...own, ...(await seenStatuses(services, dataset)), ...chosen.keys()])];
  let active = status ?? statuses[0] ?? '';
  let isSaved = false;
  const changed = () => statuses.filter((each) => chosen.get(each) !== before.get(each));
  await services.picks.table<Row>({
    title: dialogTitle('mapStatuses'),
    placeHolder: l10n.t("Statuses of dataset '{0}'. Press Enter or a button to change a meaning.", dataset.name),
    rows: () => [
      ...statuses.map((each) => statusRow(each, chosen)),
      separator(''),
      {
        label: l10n.t('Save'),
        description: changed().length > 0 ? '' : l10n.t('nothing changed'),
        iconPath: new ThemeIcon('check'),
        alwaysShow: true,
        saves: true,
      },
    ],
    isActive: (row) => row.status === active && row.status !== undefined,
    choose: (row, button) => {
      if (row.saves) isSaved = true;
      if (row.saves || row.status === undefined) return isSaved;
      active = row.status;
      const next =
        button === undefined ? cycle[(cycle.indexOf(chosen.get(active)) + 1) % cycle.length] : meanings[button];
      if (next === undefined) chosen.delete(active);
      else chosen.set(active, next);
      return false;
    },
  });
  if (isSaved && changed().length > 0)
    await setMeanings(services, dataset, new Map(changed().map((each) => [each, chosen.get(each)])));
}

function statusRow(status: string, chosen: ReadonlyMap<string, KnownMeaning>): Row {
  const own = chosen.get(status);
  const usual = statusMeaning(status, {});
  const description =
    own !== undefined
      ? l10n.t('{0} (chosen)', formatMeaning(own))
      : usual !== 'unknown'
        ? l10n.t('{0} (recognized)', formatMeaning(usual))
        : l10n.t('not recognized');
  const buttons = meanings.map((meaning) => ({
    iconPath: new ThemeIcon(icons[meaning]),
    tooltip: formatMeaning(meaning),
  }));
  return { label: shortText(status), description, buttons, status };
}

/** The statuses that tasks of a dataset have, unrecognized ones first. */
export async function seenStatuses(services: Pick<Services, 'store'>, dataset: Dataset): Promise<string[]> {
  const reports = await distinctReports(services, dataset);
  const statuses = reports.flatMap((response) => reportIn(response, dataset.contract)?.status ?? []);
  const { statusMeanings } = dataset.contract.queryTask;
  const isUnknown = (status: string) => statusMeaning(status, statusMeanings) === 'unknown';
  return [...new Set([...statuses.filter(isUnknown), ...statuses])];
}
