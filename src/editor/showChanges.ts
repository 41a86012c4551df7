import { Disposable } from 'vscode';
import { SANDBOX_NAME } from '../service/contract/dataset';
import type { DestinationRow, Served } from '../tasks/store/model';
import { whyNotServed, whyWaits } from './datasets/findDataset';
import { decorateFiles } from './decorations';
import { OfferMapping, SETTLED_MS } from './mapping/offerMapping';
import { commandAction } from './platform/actions';
import { setContextKey } from './platform/contextKeys';
import { listen } from './platform/listen';
import type { Services } from './services';
import { Announcer, PauseMessages } from './tasksView/announcements';
import { ProgressItem } from './tasksView/progressItem';
import { showBadge } from './tasksView/tasksView';
import { UPLOADED } from './wording/states';

const NOTHING = { version: -1, served: '' };

/**
 * Shows changes to the store once a second, no matter which window made them. If nothing has changed, only the store's
 * version is read.
 */
export function showChanges(services: Services): Disposable {
  const { store, serving, events, datasets, keys, clock, messages, view, tasksView, details, batchPages } = services;
  const announcer = new Announcer(store, messages, commandAction, () => clock.now());
  const pauses = new PauseMessages(messages, commandAction);
  const progress = new ProgressItem();
  const mapping = new OfferMapping(services, commandAction, () => clock.now());
  const onError = (error: unknown) => messages.note(`showing changes: ${error}`);
  const decorations = decorateFiles(services, onError);
  let seen = NOTHING;
  let changedMs = Number.NEGATIVE_INFINITY;
  let hasOwnImport = false;
  let isShowing = false;

  const show = async ({ destinations, held }: Served) => {
    const { version, rows, deleted } = await store.changesSince({ version: seen.version, shown: details.shown });
    const nowMs = clock.now();
    // Displayed ages change every minute.
    const served = JSON.stringify([destinations, held, Math.floor(nowMs / 60_000)]);
    const hasChanged = version !== seen.version;
    if (hasChanged) changedMs = clock.monotonicMs();
    if (!hasChanged && served === seen.served && !destinations.some(({ busy }) => busy)) return;
    details.refresh(served === seen.served ? new Set([...rows.map(({ id }) => id), ...deleted]) : undefined);
    seen = { version, served };
    tasksView.refresh();
    batchPages.update();
    // If this window has just taken over, the stored pause is still that of the window before.
    const whyPaused = (one: DestinationRow) => {
      if (held.includes(one.id)) return whyWaits(services, one.id);
      return one.window === null ? whyNotServed(services, one) : undefined;
    };
    const waiting = destinations.map((one) => ({ ...one, why: whyPaused(one) }));
    pauses.update(waiting, nowMs);
    const busy = destinations.flatMap((one) => (one.busy ? { destination: one, why: whyWaits(services, one.id) } : []));
    progress.update({ ...(await store.progress(null)), busy }, nowMs);
    announcer.announce(destinations, held).catch(onError);
    if (!hasChanged) return;
    const { states, problems } = await store.counts(null);
    showBadge(view, problems, destinations, (one) => whyNotServed(services, one)?.reason === 'sandboxStopped');
    await setContextKey('taskStates', Object.keys(states).toSorted().join(' '));
    const own = destinations.filter(({ dataset }) => dataset !== SANDBOX_NAME).map(({ id }) => id);
    if (!hasOwnImport && own.length > 0) {
      hasOwnImport = (await store.groups({ by: 'state', filter: { states: UPLOADED, destinations: own } })).length > 0;
      await setContextKey('hasOwnImport', hasOwnImport);
    }
    await decorations.refresh();
  };

  return Disposable.from(
    decorations,
    progress,
    listen(events, 'turn', (served) => {
      if (isShowing) return;
      isShowing = true;
      show(served)
        // A status is asked about once it has stayed the same for a while, so its last change isn't enough.
        .then(() => (clock.monotonicMs() - changedMs < 2 * SETTLED_MS ? mapping.update() : undefined))
        .catch((error) => {
          seen = NOTHING;
          onError(error);
        })
        .finally(() => {
          isShowing = false;
        });
    }),
    listen(serving.events, 'change', () => tasksView.refresh()),
    keys.onDidChange(() => pauses.forget()),
    datasets.onDidChange(() => services.previews.refresh(() => true)),
    datasets.onDidChange(() => {
      seen = NOTHING;
      details.refresh();
    }),
  );
}
