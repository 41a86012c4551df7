import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Contract, KnownMeaning } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { statusMeaning } from '../../service/response/usualNames';
import type { FileRow } from '../../tasks/store/model';
import { chooseDataset } from '../datasets/chooseDataset';
import type { DatasetNode } from '../datasets/findDataset';
import { datasetAt } from '../datasets/findDataset';
import { dialogTitle } from '../platform/commandTitle';
import { formatMeaning } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { titled } from '../platform/window';
import type { Services } from '../services';
import { setMeanings } from './changeMapping';
import { distinctReports, reportIn } from './responses';

/** A status and a meaning to choose. Without a meaning, the status is recognized automatically. */
type Choice = QuickPickItem & { readonly status?: string; readonly meaning?: KnownMeaning | undefined };

type Meanings = Contract['queryTask']['statusMeanings'];

const ICONS = { running: 'sync', succeeded: 'pass', failed: 'error' } as const;
const MEANINGS = ['running', 'succeeded', 'failed'] as const;

/** Lets the user set what each status of a dataset means. A row's status is at the top. */
export async function mapStatuses(services: Services, of: FileRow | DatasetNode | undefined): Promise<void> {
  if (of !== undefined && 'import' in of) {
    const status = of.tasks.find((task) => task.meaning === 'unknown')?.status ?? of.tasks[0]?.status;
    return showStatuses(services, datasetAt(services, of), status ?? undefined);
  }
  const dataset = await chooseDataset(services, of, dialogTitle('mapStatuses'));
  if (dataset !== undefined) await showStatuses(services, dataset);
}

/**
 * Lists every status of a dataset with the possible meanings, `first` at the top. The list reopens after each choice until
 * every status is recognized or the user closes it. Then all choices are saved.
 */
export async function showStatuses(services: Services, dataset: Dataset, first?: string): Promise<void> {
  const { name, contract } = dataset;
  const own = first === undefined ? [] : [first];
  const mapped = Object.keys(contract.queryTask.statusMeanings);
  const statuses = [...new Set([...own, ...(await seenStatuses(services, dataset)), ...mapped])];
  const chosen = new Map<string, KnownMeaning | undefined>();
  let meanings = contract.queryTask.statusMeanings;
  do {
    const unknown = statuses.filter((each) => statusMeaning(each, meanings) === 'unknown');
    const known = statuses.filter((each) => !unknown.includes(each));
    const choices = (some: readonly string[]) => some.flatMap((each) => choicesOf(each, meanings));
    const items = [
      ...titled(l10n.t('not recognized'), choices(unknown)),
      ...titled(l10n.t('recognized'), choices(known)),
    ];
    const title = dialogTitle('mapStatuses');
    const placeHolder = l10n.t("Select what a status of dataset '{0}' means", name);
    const picked = await services.picks.one<Choice>(items, { title, placeHolder, ignoreFocusOut: true });
    if (picked?.status === undefined) break;
    chosen.set(picked.status, picked.meaning);
    const { [picked.status]: _, ...others } = meanings;
    meanings = picked.meaning === undefined ? others : { ...others, [picked.status]: picked.meaning };
  } while (statuses.some((each) => statusMeaning(each, meanings) === 'unknown'));
  if (chosen.size > 0) await setMeanings(services, dataset, chosen);
}

/** "W → Running", "W → Succeeded" and so on. */
function choicesOf(status: string, meanings: Meanings): Choice[] {
  const now = statusMeaning(status, meanings);
  const choices = MEANINGS.map(
    (meaning): Choice => ({
      label: `${shortText(status)} → ${formatMeaning(meaning)}`,
      description: meaning === now ? l10n.t('current') : '',
      iconPath: new ThemeIcon(ICONS[meaning]),
      ...{ status, meaning },
    }),
  );
  const label = `${shortText(status)} → ${l10n.t('Recognize Automatically')}`;
  return Object.hasOwn(meanings, status)
    ? [...choices, { label, iconPath: new ThemeIcon('discard'), status }]
    : choices;
}

/** The statuses that tasks of a dataset have, unrecognized ones first. */
export async function seenStatuses(services: Pick<Services, 'store'>, dataset: Dataset): Promise<string[]> {
  const reports = await distinctReports(services, dataset);
  const statuses = reports.flatMap((response) => reportIn(response, dataset.contract)?.status ?? []);
  const { statusMeanings } = dataset.contract.queryTask;
  const unknown = statuses.filter((status) => statusMeaning(status, statusMeanings) === 'unknown');
  return [...new Set([...unknown, ...statuses])];
}
