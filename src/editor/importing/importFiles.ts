import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { destinationKey } from '../../tasks/destination';
import { confirmUnsaved } from '../collecting/filesToImport';
import { chooseDataset, pickDataset } from '../datasets/chooseDataset';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import { formatSentences } from '../platform/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { unsavedFiles } from '../platform/settings';
import type { Chosen, ImportServices } from './candidate';
import { collect, type Found } from './collect';
import { type ComparedFiles, compare } from './compare';
import { enqueue, moveRows, type StartedRun } from './enqueue';
import { formatGone } from './notes';
import { review } from './review';

/** Max files of an import that are looked up to see to which dataset they went. */
const SAMPLE = 100;

/**
 * Imports what the user chose: collects files, checks and compares them, lets the user review them if there is anything to
 * decide, and queues them. Undefined if the user cancels, or if nothing is to be sent: then nothing has changed.
 * @throws UserError if nothing can be imported
 */
export async function importFiles(services: ImportServices, chosen: Chosen): Promise<StartedRun | undefined> {
  const found = await collect(chosen);
  const uris = found?.candidates.flatMap(({ uri }) => uri ?? []) ?? [];
  if (found === undefined || !(await confirmUnsaved(uris, unsavedFiles()))) return undefined;
  const title = formatTitle(found.candidates);
  const comparisons = new Map<string, ComparedFiles>();
  let dataset = chosen.dataset ?? (await datasetFor(services, found, title));
  while (dataset !== undefined && (await ensureAccessKey(services, dataset)) !== undefined) {
    const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
    const key = destinationKey(destination);
    const compared = comparisons.get(key) ?? (await compare(services, found, destination));
    if (compared === undefined) return undefined;
    comparisons.set(key, compared);
    const choice = await review(services, chosen, compared);
    if (choice === undefined) return undefined;
    if (choice === 'nothingNew') return showNothingNew(services, chosen, compared);
    if (choice !== 'otherDataset') return enqueue(services, chosen, compared, choice);
    dataset = (await pickDataset(services, title)) ?? dataset;
  }
  return undefined;
}

/** The default dataset, unless the last import of these files went to another one: then the user is asked. */
async function datasetFor(
  services: ImportServices,
  { candidates }: Found,
  title: string,
): Promise<Dataset | undefined> {
  const { datasets, store } = services;
  const paths = candidates.slice(0, SAMPLE).flatMap(({ path }) => path ?? []);
  const last = datasets.default && (await store.lastDataset(paths));
  const isElsewhere = last && last !== datasets.default?.name && datasets.find(last) !== undefined;
  return isElsewhere ? pickDataset(services, title) : chooseDataset(services, undefined, title);
}

async function showNothingNew(services: ImportServices, chosen: Chosen, compared: ComparedFiles): Promise<undefined> {
  const { destination, gone } = compared;
  await moveRows(services, compared);
  const nothing = l10n.t('There is nothing new to import to {0}.', destination.dataset);
  const run = () => importFiles(services, { ...chosen, isShown: true });
  void services.messages.done(formatSentences([nothing, ...formatGone(gone)]), { label: l10n.t('Show Files…'), run });
}

function formatTitle(candidates: readonly { readonly relativePath: string }[]): string {
  const [first] = candidates;
  return candidates.length === 1 && first !== undefined
    ? l10n.t("Import '{0}'", first.relativePath)
    : l10n.t('Import {0} Files', formatCount(candidates.length));
}
