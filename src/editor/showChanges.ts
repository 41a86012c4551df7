import { Disposable, l10n, type TreeView } from 'vscode';
import { SANDBOX_NAME } from '../service/contract/dataset';
import type { DestinationRow, Group, Served, State } from '../tasks/store/model';
import { whyNotServed } from './datasets/findDataset';
import { decorateFiles } from './decorations';
import type { OfferMapping } from './mapping/offerMapping';
import { setContextKey } from './platform/contextKeys';
import { formatCount } from './platform/formatNumbers';
import { listen } from './platform/listen';
import type { Services } from './services';
import type { Announcer, PauseMessages } from './tasksView/announcements';
import type { BatchPages } from './tasksView/batchPage';
import type { DetailsDocuments } from './tasksView/details';
import type { ProgressItem } from './tasksView/progress';
import type { WhyWaits } from './wording/causes';
import { countIn } from './wording/states';

/** Everything that shows tasks, besides the Tasks view and the Explorer. */
export interface Displays {
  readonly view: TreeView<unknown>;
  readonly details: DetailsDocuments;
  readonly batchPages: BatchPages;
  readonly announcer: Announcer;
  readonly pauses: PauseMessages;
  readonly progress: ProgressItem;
  readonly mapping: OfferMapping;
}

/** Why nothing is sent to a destination, or its tasks aren't checked. */
export function whyWaits(
  services: Pick<Services, 'datasets' | 'keys' | 'serving'>,
  destination: DestinationRow,
): WhyWaits | undefined {
  return whyNotServed(services, destination) ?? services.serving.pauseOf(destination.id) ?? undefined;
}

/**
 * Shows changes to the store once a second, whichever window made them. If nothing has changed, it only reads the
 * store's version.
 */
export function showChanges(services: Services, displays: Displays): Disposable {
  const { store, serving, tasks, datasets, clock, messages, tasksView } = services;
  const reached = new Set<string>();
  let seen = { version: -1, served: '' };
  let isShowing = false;

  const show = async (served: Served) => {
    const { destinations, held } = served;
    const { version, rows, deleted } = await store.changesSince({
      version: seen.version,
      shown: displays.details.shown,
    });
    const now = { version, served: JSON.stringify([destinations, held]) };
    const hasChanged = version !== seen.version;
    if (!hasChanged && now.served === seen.served && !destinations.some(({ busy }) => busy)) return;
    seen = now;
    tasksView.refresh();
    displays.batchPages.update();
    const nowMs = clock.now();
    displays.pauses.update(
      destinations.filter(({ id }) => held.includes(id)),
      nowMs,
    );
    const busy = destinations
      .filter((one) => one.busy)
      .map((destination) => ({ destination, why: whyWaits(services, destination) }));
    displays.progress.update({ ...(await store.progress(null)), busy }, nowMs);
    displays.announcer.announce(destinations, held).catch(onError);
    if (!hasChanged) return;
    displays.details.refresh(new Set([...rows.map(({ id }) => id), ...deleted]));
    const { states, problems } = await store.counts(null);
    showBadge(displays.view, problems, destinations, isStoppedSandbox);
    await setContextKey('taskStates', Object.keys(states).toSorted().join(' '));
    await reach(states, destinations);
    await displays.mapping.update();
    await decorated.refresh();
  };

  const onError = (error: unknown) => messages.note(`showing changes: ${error}`);
  const isStoppedSandbox = (destination: DestinationRow) =>
    whyNotServed(services, destination)?.kind === 'sandboxStopped';
  const onTurn = (served: Served) => {
    if (isShowing) return;
    isShowing = true;
    show(served)
      .catch(onError)
      .finally(() => {
        isShowing = false;
      });
  };

  /** Completes steps of the walkthrough, however the user got there. */
  const reach = async (states: Readonly<Partial<Record<State, number>>>, destinations: readonly DestinationRow[]) => {
    const own = destinations.filter(({ dataset }) => dataset !== SANDBOX_NAME).map(({ id }) => id);
    const hasOwn = async () =>
      own.length > 0 &&
      (await store.groups({ by: 'state', filter: { states: UPLOADED, destinations: own } })).length > 0;
    const steps = [
      ['hasImported', () => UPLOADED.some((state) => states[state])],
      ['hasEndedTask', () => states.succeeded !== undefined || states.failed !== undefined],
      ['hasOwnImport', hasOwn],
    ] as const;
    for (const [name, isReached] of steps) {
      if (reached.has(name) || !(await isReached())) continue;
      reached.add(name);
      await setContextKey(name, true);
    }
  };

  const decorated = decorateFiles(services, onError);
  return Disposable.from(
    decorated,
    listen(tasks.events, 'turn', onTurn),
    listen(serving.events, 'change', () => tasksView.refresh()),
    datasets.onDidChange(() => {
      seen = { version: -1, served: '' };
      displays.details.refresh();
    }),
  );
}

/** The states of files that the service has received. */
const UPLOADED: readonly State[] = [
  'waiting',
  'running',
  'unknown',
  'noId',
  'untracked',
  'uploaded',
  'succeeded',
  'failed',
];

/**
 * Shows in the view's badge how many rows need the user's attention. Problems of a stopped sandbox don't count.
 */
export function showBadge(
  view: Pick<TreeView<unknown>, 'badge'>,
  problems: readonly Group[],
  destinations: readonly DestinationRow[],
  isStoppedSandbox: (destination: DestinationRow) => boolean,
): void {
  const stopped = new Set(destinations.filter(isStoppedSandbox).map(({ id }) => id));
  const counted = problems.filter(({ value }) => !stopped.has(Number(value)));
  const value = counted.reduce((sum, { counts }) => sum + countIn(counts), 0);
  if (value === (view.badge?.value ?? 0)) return;
  view.badge = value === 0 ? undefined : { value, tooltip: l10n.t('Needing your attention: {0}', formatCount(value)) };
}
