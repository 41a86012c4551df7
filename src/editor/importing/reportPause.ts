import { type Disposable, l10n } from 'vscode';
import { type Destination, isSameDestination } from '../../tasks/destination';
import { MAX_UNCONFIRMED } from '../../tasks/sending/gate';
import type { ImportPause } from '../../tasks/serving/importPause';
import { replaceAccessKey } from '../datasets/enterAccessKey';
import { formatEnd } from '../platform/formatOutcome';
import { listen } from '../platform/listen';
import type { Action } from '../platform/userError';
import type { ReportServices } from './helpAfterImport';
import { formatRejections, rejectionChoices } from './repeatedRejections';

/** Reports why the imports of a destination wait, where that is for longer than a moment. */
export function reportPauses(services: ReportServices): Disposable {
  return listen(services.queue.events, 'paused', (destination, pause) => {
    void reportPause(services, destination, pause);
  });
}

async function reportPause(services: ReportServices, destination: Destination, pause: ImportPause): Promise<void> {
  const { announcements, queue } = services;
  const isMeant = (one: Destination) => isSameDestination(one, destination);
  const tryNow: Action = { label: l10n.t('Try Now'), run: () => queue.tryNow(isMeant) };
  const cancel: Action = { label: l10n.t('Cancel Imports'), run: () => queue.cancel(isMeant) };
  const { dataset } = destination;
  const { reason, untilMs } = pause;
  switch (reason.kind) {
    // The message of the task database, and the rows, say so.
    case 'store':
      return;
    case 'noTarget':
      if (services.datasets.find(dataset) === undefined) {
        const removed = l10n.t("Dataset '{0}' was removed. Its imports wait until it is added again.", dataset);
        return announcements.problem(removed, cancel);
      }
      return announcements.problem(
        l10n.t('The access key of {0} cannot be read. Its imports wait for it.', dataset),
        replaceKey(services, destination),
        cancel,
      );
    case 'badKey':
      return announcements.problem(
        l10n.t(
          'The imports to {0} wait until you replace the access key, which was rejected: {1}',
          dataset,
          formatEnd(reason.end),
        ),
        replaceKey(services, destination),
        cancel,
      );
    case 'rejections':
      return announcements.problem(
        formatRejections(dataset, reason),
        ...rejectionChoices(services, destination, reason),
        cancel,
      );
    case 'busy':
      return announcements.problem(
        l10n.t('{0} is busy. Its imports are paused and will be retried.', dataset),
        tryNow,
        cancel,
      );
    case 'unconfirmed':
    case 'unreachable': {
      const why = formatEnd(reason.end);
      return announcements.problem(
        untilMs === Number.POSITIVE_INFINITY
          ? l10n.t('{0} imports to {1} in a row are unconfirmed. {2} The others wait.', MAX_UNCONFIRMED, dataset, why)
          : l10n.t('{1} The imports to {0} are paused and will be retried.', dataset, why),
        tryNow,
        cancel,
      );
    }
  }
}

/** The button that asks for another access key, with which the imports go on. */
function replaceKey(services: ReportServices, { dataset }: Destination): Action {
  return replaceAccessKey(
    services,
    () => services.datasets.find(dataset),
    () => services.queue.tryNow((one) => one.dataset === dataset),
  );
}
