import { l10n } from 'vscode';
import { SANDBOX_NAME } from '../../service/contract/dataset';
import { knownFiles, memoryOf } from '../../tasks/comparing/compareFiles';
import { type Destination, destinationKey, type Queued } from '../../tasks/store/model';
import { chooseDataset, pickDataset } from '../datasets/chooseDataset';
import { assertNoFault } from '../datasets/findDataset';
import { makeReady } from '../datasets/makeReady';
import { dialogTitle } from '../platform/actions';
import { formatCount, formatSentences } from '../platform/format';
import { unsavedFiles } from '../platform/settings';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Candidate, Chosen, ImportServices } from './candidate';
import { type Collected, collect } from './collect';
import { type ComparedFiles, compare } from './compare';
import { enqueue, moveRows } from './enqueue';
import { type FileGroup, formatGroup, GROUPS, groupOf } from './groups';
import { formatMissing } from './notes';
import { type Choices, review } from './review';
import { confirmUnsaved } from './unsavedFiles';

/** Max files to look up when checking which dataset they were last imported to. */
const SAMPLE = 100;

/**
 * Imports what the user chose: collects files, checks and compares them, lets the user review them if there is anything
 * to decide, and queues them. Returns undefined if the user cancels or there is nothing to send.
 * @throws UserError if nothing can be imported
 */
export async function importFiles(services: ImportServices, chosen: Chosen): Promise<Queued | undefined> {
  const collected = await collect(chosen);
  const stored = collected?.candidates.flatMap(storedPathOf) ?? [];
  if (collected === undefined || !(await confirmUnsaved(stored, unsavedFiles()))) return undefined;
  const title = chosen.onlyChanges ? dialogTitle('importChanges') : formatTitle(collected.candidates);
  const comparisons = new Map<string, ComparedFiles>();
  const choices: Choices = new Map();
  let { isShown = false } = chosen;
  let dataset = chosen.dataset ?? (await datasetFor(services, stored, title));
  if (dataset === undefined || !(await makeReady(services, dataset))) return undefined;
  for (;;) {
    const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
    const key = destinationKey(destination);
    const compared = comparisons.get(key) ?? (await compareAll(services, chosen, collected, destination));
    if (compared === undefined) return undefined;
    comparisons.set(key, compared);
    const choice = await review(services, { ...chosen, isShown }, compared, choices);
    if (choice === undefined) return undefined;
    if (choice === 'nothingNew') return showNothingNew(services, chosen, compared);
    if (choice !== 'otherDataset') return enqueue(services, chosen, compared, choice);
    isShown = true;
    const other = await pickDataset(services, title);
    if (other === undefined || other.name === dataset.name) continue;
    if (!(await makeReady(services, other))) continue;
    // The other dataset may already have files that the user selected for the first one.
    for (const [key, isSelected] of choices) if (isSelected) choices.delete(key);
    dataset = other;
  }
}

/**
 * Compares the files with the destination's. Adds the files that it has received from the chosen folders and that weren't
 * found there: files that no longer exist and, for Import Changes…, files that the folders' rules skip.
 */
async function compareAll(services: ImportServices, chosen: Chosen, collected: Collected, destination: Destination) {
  const memory = memoryOf(services.store, destination);
  const read = (signal: AbortSignal) =>
    Promise.all(collected.folders.map((folder) => knownFiles(memory, folder.path, signal)));
  const received = await withDelayedProgress(l10n.t('Looking for files'), read);
  if (received === undefined) return undefined;
  const { onlyChanges = false, known = [], batch } = chosen;
  const found = new Set([...collected.candidates.flatMap(storedPathOf), ...known]);
  const others = received.flat().filter((at) => !found.has(at));
  if (others.length === 0 && (found.size > 0 || !onlyChanges)) return compare(services, collected, destination);
  const added = await collect({ ...(onlyChanges && chosen), known: [...known, ...others] });
  if (added === undefined) return undefined;
  if (!onlyChanges) return compare(services, { ...collected, missing: added.missing }, destination);
  const isAdded = (one: Candidate) => [storedPathOf(one)].flat().some((at) => !found.has(at));
  // Saving would create a deleted file again if it is still open with unsaved changes.
  const present = added.candidates.filter(isAdded).flatMap(storedPathOf);
  if (!(await confirmUnsaved(present, unsavedFiles()))) return undefined;
  // The user may have excluded files since they removed them from a batch, so don't select them.
  const care = batch === undefined ? [] : [l10n.t('not in this batch')];
  const candidates = added.candidates.map((one) => (isAdded(one) ? { ...one, care: [...one.care, ...care] } : one));
  return compare(services, { ...added, candidates }, destination);
}

function storedPathOf({ path, uri }: Candidate): string | [] {
  return path ?? uri?.toString() ?? [];
}

/**
 * Returns the default dataset. Asks the user if there is no default, or if these files were last imported to another
 * dataset.
 */
async function datasetFor(services: ImportServices, stored: readonly string[], title: string) {
  const { datasets, store } = services;
  const last = datasets.default && (await store.lastDataset(stored.slice(0, SAMPLE)));
  const isKnown = datasets.find(last ?? '') !== undefined;
  if (last && !isKnown) assertNoFault(datasets, last);
  // A dataset that is no longer in the settings may have been renamed there.
  const mayBeRenamed = last !== SANDBOX_NAME && datasets.all.length + datasets.faults.length > 1;
  const isElsewhere = last && last !== datasets.default?.name && (isKnown || mayBeRenamed);
  return isElsewhere ? pickDataset(services, title) : chooseDataset(services, undefined, title);
}

/** Called if Import Changes… selects no files. Reports how many files it found but didn't select. */
async function showNothingNew(services: ImportServices, chosen: Chosen, compared: ComparedFiles): Promise<undefined> {
  const { candidates, destination, missing, skipped } = compared;
  await moveRows(services, compared);
  const groups = GROUPS.filter((group) => group !== 'unchanged');
  const faults = candidates.filter(({ fault }) => fault !== undefined).length;
  const unreadable = skipped.filter(({ reason }) => reason === 'unreadable').length;
  const countOf = (group: FileGroup) => candidates.filter((one) => groupOf(one) === group).length;
  const counts: [string, number][] = [
    ...groups.map((group): [string, number] => [formatGroup(group), countOf(group)]),
    [l10n.t('Cannot be imported'), faults + unreadable],
  ];
  const found = counts.filter(([, count]) => count > 0);
  const sentences = found.map(([label, count]) => l10n.t('{0}: {1}.', label, formatCount(count)));
  const nothing =
    found.length === 0
      ? l10n.t('There is nothing new to import to {0}.', destination.dataset)
      : l10n.t('Nothing was imported.');
  const message = formatSentences([nothing, ...sentences, ...formatMissing(missing)]);
  const run = () => importFiles(services, { ...chosen, isShown: true });
  void services.messages.done(message, { label: l10n.t('Show Files…'), run });
}

function formatTitle(candidates: readonly Candidate[]): string {
  const [first] = candidates;
  return candidates.length === 1 && first !== undefined
    ? l10n.t("Import '{0}'", first.relativePath)
    : l10n.t('Import {0} Files', formatCount(candidates.length));
}
