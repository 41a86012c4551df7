import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import { type Contract, KNOWN_MEANINGS, type KnownMeaning, stateSource } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { statusMeaning } from '../../service/response/usualNames';
import type { FileRow } from '../../tasks/store/model';
import { datasetNamed } from '../datasets/findDataset';
import { dialogTitle } from '../platform/actions';
import { shortText } from '../platform/outsideText';
import { titled } from '../platform/window';
import type { Services } from '../services';
import { capitalized, formatMeaning } from '../wording/states';
import { destinationOf, distinctReports, reportIn } from './responses';

/** An item that assigns a meaning to a status. If `meaning` is undefined, the status is recognized automatically. */
type Choice = QuickPickItem & { readonly status?: string; readonly meaning?: KnownMeaning | undefined };

type Meanings = Contract['queryTask']['statusMeanings'];

const ICONS = { running: 'sync', succeeded: 'pass', failed: 'error' } as const;

/**
 * Lists all of a dataset's statuses with their possible meanings. Those that aren't recognized come first, starting with
 * the row's status, followed by those that tasks have moved on from. The list reopens after each choice until every
 * status is recognized or the user closes the list. Then all choices are saved.
 */
export async function mapStatuses(services: Services, dataset: Dataset, row?: FileRow): Promise<void> {
  const { name, contract } = dataset;
  const before = contract.queryTask.statusMeanings;
  const own = row?.tasks.find(({ meaning }) => meaning === 'unknown')?.status ?? [];
  const { id: destination = 0 } = (await destinationOf(services, dataset)) ?? {};
  const passed = await services.store.passedStatuses({ destination, source: stateSource(contract.queryTask) });
  const statuses = [...new Set([own, passed, await seenStatuses(services, dataset), Object.keys(before)].flat())];
  // If tasks have moved on from an unrecognized status, it counts as running.
  const running: Meanings = Object.fromEntries(passed.map((status) => [status, 'running']));
  const meaningOf = (status: string) => statusMeaning(status, { ...running, ...meanings });
  const assigned = new Map<string, KnownMeaning | undefined>();
  let meanings = before;
  do {
    const unknown = statuses.filter((each) => meaningOf(each) === 'unknown');
    const known = statuses.filter((each) => !unknown.includes(each));
    const choices = (some: readonly string[]) => some.flatMap((each) => choicesOf(each, meaningOf(each), meanings));
    const items = [
      ...titled(l10n.t('not recognized'), choices(unknown)),
      ...titled(l10n.t('recognized'), choices(known)),
    ];
    const placeHolder = l10n.t("Select what a status of dataset '{0}' means", name);
    const picked = await services.picks.one<Choice>(items, { title: dialogTitle('mapStatuses'), placeHolder });
    if (picked?.status === undefined) break;
    assigned.set(picked.status, picked.meaning);
    meanings = withAssigned(before, assigned);
  } while (statuses.some((each) => meaningOf(each) === 'unknown'));
  if (assigned.size === 0) return;
  // Another window may have saved other meanings while the list was open.
  const { queryTask } = datasetNamed(services, name).contract;
  const value = withAssigned(queryTask.statusMeanings, assigned);
  const path = ['queryTask', 'statusMeanings'];
  await services.datasets.override(dataset, path, Object.keys(value).length === 0 ? undefined : value);
}

function withAssigned(meanings: Meanings, assigned: ReadonlyMap<string, KnownMeaning | undefined>): Meanings {
  const all = new Map([...Object.entries(meanings), ...assigned]);
  const kept = [...all].flatMap(([status, meaning]) => (meaning === undefined ? [] : [[status, meaning]]));
  return Object.fromEntries(kept);
}

/** Creates the choices for a status, starting with the current meaning: "W → Running", "W → Succeeded" and so on. */
function choicesOf(status: string, now: string, meanings: Meanings): Choice[] {
  const current = KNOWN_MEANINGS.filter((meaning) => meaning === now);
  const choices = [...new Set([...current, ...KNOWN_MEANINGS])].map((meaning) => ({
    label: `${shortText(status)} → ${capitalized(formatMeaning(meaning))}`,
    description: meaning === now ? l10n.t('current') : '',
    iconPath: new ThemeIcon(ICONS[meaning]),
    status,
    meaning,
  }));
  const label = `${shortText(status)} → ${l10n.t('Recognize Automatically')}`;
  return Object.hasOwn(meanings, status)
    ? [...choices, { label, iconPath: new ThemeIcon('discard'), status }]
    : choices;
}

/** Reads the statuses of a dataset's tasks. Unrecognized statuses come first. */
export async function seenStatuses(services: Pick<Services, 'store'>, dataset: Dataset): Promise<string[]> {
  const reports = await distinctReports(services, dataset);
  const statuses = reports.flatMap((response) => reportIn(response, dataset.contract)?.status ?? []);
  const { statusMeanings } = dataset.contract.queryTask;
  const unknown = statuses.filter((status) => statusMeaning(status, statusMeanings) === 'unknown');
  return [...new Set([...unknown, ...statuses])];
}
