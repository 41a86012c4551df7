import { commands, env, l10n, Position, Range } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { rowsIn } from '../../tasks/rowsIn';
import type { Serving } from '../../tasks/sending/serving';
import { among, type FileRow, type Filter, type State, type StateCounts, TRACKED } from '../../tasks/store/model';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import { datasetAt, whyNotServed } from '../datasets/findDataset';
import type { ImportServices } from '../importing/candidate';
import { exists, fileUri } from '../importing/filePaths';
import { importAgain, importMoved, noLongerStored } from '../importing/importAgain';
import { commandTitle, UserError } from '../platform/actions';
import { formatCount, formatSentences } from '../platform/format';
import { window } from '../platform/window';
import type { Services } from '../services';
import { canImportAgain } from '../wording/nextSteps';
import { countIn, rowLabel } from '../wording/states';
import { APPLICABLE, stateCounts } from './chooseRows';

type StoreAndConfirm = Pick<Services, 'store' | 'confirm'>;

const STATUS_BAR_MS = 3000;

/** The error to throw if the rows have changed since the menu opened, or if no selected row is in a suitable state. */
export function noneApplies(): UserError {
  return new UserError(l10n.t('There are no tasks to which this command applies.'));
}

/** Imports the matching files again, if they are in one of these states. */
export async function reimport(services: ImportServices, filter: Filter, states: readonly State[]): Promise<void> {
  const found = await rowsIn(services.store, filter, states);
  const rows = found.filter(canImportAgain);
  // A task that was added by its ID has no text.
  const lost = found.find((row) => row.import.sizeBytes > 0 && !canImportAgain(row));
  if (rows.length === 0 && lost === undefined) throw noneApplies();
  const isCanceled = rows.length > 0 && !(await importAgain(services, rows));
  if (lost !== undefined && !isCanceled) throw noLongerStored(lost.name);
}

/** Cancels queued and sending imports. If another window is uploading them, it stops within about a second. */
export async function cancelImport(serving: Pick<Serving, 'cancel'>, filter: Filter): Promise<void> {
  if ((await serving.cancel(filter)) === 0) throw noneApplies();
}

/** Resumes paused destinations that have queued rows, even after repeated rejections. Asks about moved datasets. */
export async function tryNow(services: ImportServices, filter: Filter): Promise<void> {
  const { store, serving } = services;
  const groups = await store.groups({ by: 'destination', filter: among(filter, APPLICABLE.tryNow) });
  const chosen = serving.destinations.filter(({ id }) => groups.some(({ value }) => value === id));
  const paused = chosen.map(({ id }) => id).filter((id) => serving.pauseOf(id) !== null);
  const moved = chosen.filter((one) => whyNotServed(services, one)?.reason === 'moved');
  if (paused.length + moved.length === 0) throw noneApplies();
  await serving.tryNow(paused);
  for (const { id } of moved)
    await importMoved(services, await rowsIn(store, { ...filter, destinations: [id] }, ['queued']));
}

type RefreshServices = Pick<Services, 'store' | 'datasets' | 'keys' | 'sandbox' | 'picks' | 'refreshStatus'>;

/**
 * Requests an immediate status check of unfinished tasks, then asks for missing access keys. Another window may run the
 * check.
 * @throws UserError if a dataset can't be queried
 */
export async function refreshStatus(services: RefreshServices, filter: Filter): Promise<void> {
  const { store } = services;
  const unfinished = among(filter, APPLICABLE.refreshStatus);
  const groups = await store.groups({ by: 'destination', filter: unfinished });
  if (groups.length === 0) throw noneApplies();
  const count = await services.refreshStatus(unfinished);
  const chosen = new Set(groups.map(({ value }) => value));
  for (const destination of (await store.destinations(null)).filter(({ id }) => chosen.has(id)))
    if ((await ensureAccessKey(services, datasetAt(services, destination))) === undefined) return;
  window.setStatusBarMessage(l10n.t('Checking the status of tasks: {0}', formatCount(count)), STATUS_BAR_MS);
}

/**
 * Marks files as uploaded when the user knows that the service has them. Asks for confirmation if there is more than
 * one file.
 */
export async function markAsUploaded({ store, confirm }: StoreAndConfirm, filter: Filter): Promise<void> {
  const rows = await rowsIn(store, filter, APPLICABLE.markAsUploaded);
  if (rows.length === 0) throw noneApplies();
  const question = l10n.t('Mark {0} unconfirmed files as uploaded?', formatCount(rows.length));
  const detail = l10n.t('Use this only if the service has all of them.');
  if (rows.length > 1 && !(await confirm(question, detail, commandTitle('markAsUploaded')))) return;
  await store.markUploaded(filterOf(rows));
}

/** Stops tracking tasks. Asks for confirmation, because this can't be undone. */
export async function stopTracking({ store, confirm }: StoreAndConfirm, filter: Filter): Promise<void> {
  const rows = await rowsIn(store, filter, APPLICABLE.stopTracking);
  const [first] = rows;
  if (first === undefined) throw noneApplies();
  const question =
    rows.length === 1
      ? l10n.t("Stop tracking '{0}'?", rowLabel(first))
      : l10n.t('Stop tracking {0} tasks?', formatCount(rows.length));
  const detail = l10n.t('Their results will not be shown. Nothing is canceled or deleted on the service.');
  if (await confirm(question, detail, commandTitle('stopTracking'))) await store.stopTracking(filterOf(rows));
}

/** Selects exactly these rows, unless their files have been imported again since the rows were read. */
function filterOf(rows: readonly FileRow[]): Filter {
  return { files: rows.map(({ id }) => id), upTo: rows.reduce((newest, row) => Math.max(newest, row.import.id), 0) };
}

/** The maximum number of files to open without confirmation. */
const MAX_UNASKED = 10;

/**
 * Opens the source files of the matching rows. Line and column numbers start at 1.
 * @throws UserError if a file no longer exists, after opening the others
 */
export async function openSourceFile(
  { store, confirm }: StoreAndConfirm,
  filter: Filter,
  position?: { readonly line: number; readonly column: number },
): Promise<void> {
  const rows = (await rowsIn(store, filter, APPLICABLE.openSourceFile)).filter(({ path }) => path !== null);
  if (rows.length === 0) throw noneApplies();
  const question = l10n.t('Open {0} files?', formatCount(rows.length));
  if (rows.length > MAX_UNASKED && !(await confirm(question, '', l10n.t('Open')))) return;
  // Some services count lines and columns from 0.
  const start = position && new Position(Math.max(0, position.line - 1), Math.max(0, position.column - 1));
  const selection = start && new Range(start, start);
  let missing: UserError | undefined;
  for (const { name, path } of rows) {
    const uri = fileUri(path ?? '');
    // Unlike openTextDocument, this command opens files of any size and accepts positions past the end.
    if (await exists(uri)) await commands.executeCommand('vscode.open', uri, { preview: false, selection });
    else missing ??= new UserError(l10n.t("'{0}' is no longer at {1}.", name, path ?? ''));
  }
  if (missing !== undefined) throw missing;
}

/** Copies task IDs, one per line. */
export async function copyTaskId({ store }: Pick<Services, 'store'>, filter: Filter): Promise<void> {
  const rows = await rowsIn(store, filter, APPLICABLE.copyTaskId);
  const ids = rows.flatMap(({ tasks }) => tasks.map(({ id }) => taskIdText(id)));
  if (ids.length === 0) throw noneApplies();
  await env.clipboard.writeText(ids.join('\n'));
  window.setStatusBarMessage(l10n.t('Copied task IDs: {0}', formatCount(ids.length)), STATUS_BAR_MS);
}

type RemoveServices = Pick<Services, 'store' | 'messages'>;

/**
 * Removes rows from the list and offers Undo. Cancels queued imports. Keeps the rows of files that are being uploaded.
 */
export async function removeFromList({ store, messages }: RemoveServices, filter: Filter): Promise<void> {
  const { rows } = await store.page({ filter, limit: 1 });
  const [first] = rows;
  if (first === undefined) throw noneApplies();
  const counts = await stateCounts(store, filter);
  const { removed, removedMs } = await store.remove(filter);
  const name = rowLabel(first);
  if (removed === 0)
    throw new UserError(l10n.t("'{0}' is still being uploaded. Cancel the import first, or wait until it ends.", name));
  const title =
    removed === 1 && first.state !== 'sending'
      ? l10n.t("Removed '{0}' from the list.", name)
      : l10n.t('Removed from the list: {0}.', formatCount(removed));
  const undo = async () => {
    // The store deletes removed rows after an hour.
    if ((await store.undo(removedMs)) === 0) throw new UserError(l10n.t('There is nothing left to restore.'));
  };
  await messages.done(formatSentences([title, ...consequences(counts)]), { label: l10n.t('Undo'), run: undo });
}

/** Removes the succeeded tasks that the view shows, and offers Undo. */
export async function clearSucceeded(services: RemoveServices, shown: Filter = {}): Promise<void> {
  await removeFromList(services, among(shown, APPLICABLE.clearSucceeded));
}

/** Describes what else happens when rows in these states are removed. */
function consequences(counts: StateCounts): string[] {
  const { sending = 0, queued = 0 } = counts;
  const unfinished = countIn(counts, TRACKED);
  return [
    l10n.t('Nothing is deleted on the service.'),
    ...(queued > 0 ? [l10n.t('Canceled imports: {0}.', formatCount(queued))] : []),
    ...(unfinished > 0 ? [l10n.t('Tasks no longer tracked: {0}.', formatCount(unfinished))] : []),
    ...(sending > 0 ? [l10n.t('Still uploading, so not removed: {0}.', formatCount(sending))] : []),
  ];
}
