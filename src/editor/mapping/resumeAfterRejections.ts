import { type Disposable, l10n } from 'vscode';
import { rowsIn } from '../../tasks/rowsIn';
import type { TargetChange } from '../../tasks/sending/servedDestination';
import { type DestinationRow, type Pause, rejectionCode } from '../../tasks/store/model';
import { datasetNamed } from '../datasets/findDataset';
import { importRows } from '../importing/importAgain';
import { formatCount } from '../platform/format';
import { listen } from '../platform/listen';
import { shortText } from '../platform/outsideText';
import type { Services } from '../services';

/**
 * If repeated rejections with the same code have paused uploads, imports the rejected files again once the access key
 * or the request settings change.
 */
export function resumeAfterRejections(services: Services): Disposable {
  return listen(services.serving.events, 'rejectionsOver', (destination, pause, change) => {
    resume(services, destination, pause, change).catch((error) => services.messages.error(error));
  });
}

async function resume(
  services: Services,
  destination: DestinationRow,
  { cause }: Pause,
  change: TargetChange,
): Promise<void> {
  const { datasets, messages, store } = services;
  const { id, dataset } = destination;
  const rejected = (await rowsIn(store, { destinations: [id] }, ['rejected'])).filter(
    (row) => rejectionCode(row.import.cause) === rejectionCode(cause),
  );
  await importRows(services, rejected);
  const codes = datasets.find(dataset)?.contract.codes;
  const code = cause?.code;
  if (change === 'request' || code === undefined || codes === undefined) return;
  if ([...codes.badKey, ...codes.tryLater].includes(code)) return;
  const run = () => {
    const current = datasetNamed(services, dataset);
    return datasets.override(current, ['codes', 'badKey'], [...current.contract.codes.badKey, code]);
  };
  await messages.done(
    l10n.t(
      'Files that {0} rejected with code {1} are imported again with the new access key: {2}. Should this code always mean that the access key was rejected?',
      dataset,
      shortText(code),
      formatCount(rejected.length),
    ),
    { label: l10n.t('Treat as Rejected Key'), run },
  );
}
