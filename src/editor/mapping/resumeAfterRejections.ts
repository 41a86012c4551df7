import { type Disposable, l10n } from 'vscode';
import { rowsIn } from '../../tasks/rowsIn';
import type { TargetChange } from '../../tasks/sending/servedDestination';
import { type DestinationRow, type Pause, rejectionCode } from '../../tasks/store/model';
import { datasetNamed } from '../datasets/findDataset';
import { importRows, knownUploads } from '../importing/importAgain';
import { formatCount } from '../platform/format';
import { listen } from '../platform/listen';
import { shortText } from '../platform/outsideText';
import type { Services } from '../services';

/**
 * If repeated rejections with the same code have paused uploads, imports the rejected files again once the access key
 * or the request settings change. Leaves out files whose content has been uploaded since the rejection, and files that
 * were changed to content that the service already has.
 */
export function resumeAfterRejections(services: Services): Disposable {
  return listen(services.serving.events, 'rejectionsOver', (destination, pause, change) => {
    resume(services, destination, pause, change).catch((error) => services.messages.error(error));
  });
}

async function resume(services: Services, served: DestinationRow, pause: Pause, change: TargetChange): Promise<void> {
  const { datasets, messages, store } = services;
  const { id, dataset } = served;
  const { cause } = pause;
  const rows = await rowsIn(store, { destinations: [id] }, ['rejected']);
  const rejected = rows.filter((row) => rejectionCode(row.import.cause) === rejectionCode(cause));
  const uploads = await knownUploads(services, rejected, new AbortController().signal);
  const wanted = rejected.filter((row) => {
    const [upload, { sha256, endedMs }] = [uploads.get(row), row.import];
    if (upload === undefined) return true;
    // If the rejected content itself was uploaded before, the user chose to upload it again.
    return sha256 !== null && sha256 === upload.sha256 && upload.endedMs !== null && upload.endedMs <= (endedMs ?? 0);
  });
  // Each import of a text has its own row.
  const again = [...new Map(wanted.map((row) => [row.path ?? row.import.sha256 ?? row.id, row])).values()];
  await importRows(services, again);
  const codes = datasets.find(dataset)?.contract.codes;
  const code = cause?.code;
  if (again.length === 0 || change === 'request' || code === undefined || codes === undefined) return;
  if ([...codes.badKey, ...codes.tryLater].includes(code)) return;
  const run = () => {
    const current = datasetNamed(services, dataset);
    return datasets.override(current, ['codes', 'badKey'], [...current.contract.codes.badKey, code]);
  };
  const question = l10n.t(
    'Files that {0} rejected with code {1} are imported again with the new access key: {2}. Should this code always mean that the access key was rejected?',
    dataset,
    shortText(code),
    formatCount(again.length),
  );
  await messages.done(question, { label: l10n.t('Treat as Rejected Key'), run });
}
