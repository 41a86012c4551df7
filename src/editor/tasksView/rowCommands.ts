import { commands, env, l10n, Position, Range } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { Tasks } from '../../tasks/connectTasks';
import type { Serving } from '../../tasks/sending/serving';
import type { ImportStore } from '../../tasks/store/importStore';
import { among, type Filter } from '../../tasks/store/model';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import type { ImportServices } from '../importing/candidate';
import { exists, fileUri } from '../importing/filePaths';
import { importAgain } from '../importing/importAgain';
import { commandTitle } from '../platform/commandTitle';
import { formatCount } from '../platform/formatNumbers';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services';
import { canImportAgain } from '../wording/nextSteps';
import { rowLabel } from '../wording/states';
import { APPLICABLE, countRows, rowsIn } from './chooseRows';

/** Asks in a modal dialog whether to do what the button says. */
type Confirm = typeof window.confirm;

const STATUS_BAR_MS = 3000;

/** Imports the failed, rejected and not uploaded files of a filter again, in their rows. */
export async function retryFailed(services: ImportServices, filter: Filter): Promise<void> {
  const rows = (await rowsIn(services.store, filter, APPLICABLE.retryFailed)).filter(canImportAgain);
  if (rows.length === 0) throw new UserError(l10n.t('There are no failed imports.'));
  await importAgain(services, rows);
}

/** Cancels what is queued or being sent. Another window stops what it is sending within about a second. */
export async function cancelImport(serving: Pick<Serving, 'cancel'>, filter: Filter): Promise<void> {
  if ((await serving.cancel(filter)) === 0) throw new UserError(l10n.t('There are no imports to cancel.'));
}

/** Ends the pauses of the destinations for which rows are queued. If imports with one code were rejected, that continues them. */
export async function tryNow(
  { store, serving }: { readonly store: Pick<ImportStore, 'groups'>; readonly serving: TryingNow },
  filter: Filter,
): Promise<void> {
  const groups = await store.groups({ by: 'destination', filter: among(filter, APPLICABLE.tryNow) });
  const paused = groups.map(({ value }) => Number(value)).filter((id) => serving.pauseOf(id) !== null);
  if (paused.length === 0) throw new UserError(l10n.t('No uploads are paused.'));
  await serving.tryNow(paused);
}

type TryingNow = Pick<Serving, 'tryNow' | 'pauseOf'>;

type Asking = Pick<Services, 'datasets' | 'keys' | 'sandbox' | 'picks'>;

/**
 * Has unfinished tasks checked now, in whichever window follows them; asks for missing access keys.
 * @throws UserError if a dataset can't be asked; the tasks of others are checked all the same
 */
export async function refreshStatus(
  {
    store,
    tasks,
    ...asking
  }: Asking & {
    readonly store: Pick<ImportStore, 'groups' | 'destinations'>;
    readonly tasks: Pick<Tasks, 'refreshStatus'>;
  },
  filter: Filter,
): Promise<void> {
  const unfinished = among(filter, APPLICABLE.refreshStatus);
  const groups = await store.groups({ by: 'destination', filter: unfinished });
  if (groups.length === 0) throw new UserError(l10n.t('There are no unfinished tasks.'));
  const chosen = new Set(groups.map(({ value }) => value));
  const reachable: number[] = [];
  const errors: unknown[] = [];
  for (const destination of (await store.destinations(null)).filter(({ id }) => chosen.has(id))) {
    try {
      const key = await ensureAccessKey(asking, datasetAt(asking, destination));
      if (key !== undefined) reachable.push(destination.id);
    } catch (error) {
      errors.push(error);
    }
  }
  if (reachable.length > 0) {
    const count = await tasks.refreshStatus({ ...unfinished, destinations: reachable });
    window.setStatusBarMessage(l10n.t('Checking the status of tasks: {0}', formatCount(count)), STATUS_BAR_MS);
  }
  if (errors.length > 0) throw errors[0];
}

/** The user knows that the service has these files. Asks about several. */
export async function markAsUploaded(
  { store, confirm }: { readonly store: Pick<ImportStore, 'groups' | 'markUploaded'>; readonly confirm: Confirm },
  filter: Filter,
): Promise<void> {
  const count = await countRows(store, filter, APPLICABLE.markAsUploaded);
  if (count === 0) throw new UserError(l10n.t('There are no unconfirmed imports.'));
  const question = l10n.t('Mark {0} unconfirmed files as uploaded?', formatCount(count));
  const detail = l10n.t('Use this only if the service has all of them.');
  if (count > 1 && !(await confirm(question, detail, commandTitle('markAsUploaded')))) return;
  await store.markUploaded(filter);
}

/** Stops asking about tasks, after a question: it can't be undone. */
export async function stopTracking(
  {
    store,
    confirm,
  }: { readonly store: Pick<ImportStore, 'groups' | 'page' | 'stopTracking'>; readonly confirm: Confirm },
  filter: Filter,
): Promise<void> {
  const count = await countRows(store, filter, APPLICABLE.stopTracking);
  if (count === 0) throw new UserError(l10n.t('There are no unfinished tasks.'));
  const { rows } = await store.page({ filter: among(filter, APPLICABLE.stopTracking), limit: 1 });
  const [first] = rows;
  const question =
    count === 1 && first !== undefined
      ? l10n.t("Stop tracking '{0}'?", rowLabel(first))
      : l10n.t('Stop tracking {0} tasks?', formatCount(count));
  const detail = l10n.t('Their results will not be shown. Nothing is canceled or deleted on the service.');
  if (await confirm(question, detail, commandTitle('stopTracking'))) await store.stopTracking(filter);
}

/** Max files that are opened without a question. */
const MAX_UNASKED = 10;

/**
 * Opens the imported files of rows, at a position counted from 1 if there is one; asks before it opens many.
 * @throws UserError if a file no longer exists
 */
export async function openSourceFile(
  { store, confirm }: { readonly store: Pick<ImportStore, 'rowsAfter'>; readonly confirm: Confirm },
  filter: Filter,
  position?: { readonly line: number; readonly column: number },
): Promise<void> {
  const rows = (await rowsIn(store, filter, APPLICABLE.openSourceFile)).filter(({ path }) => path !== null);
  if (rows.length === 0) throw new UserError(l10n.t('There is no file to open.'));
  const question = l10n.t('Open {0} files?', formatCount(rows.length));
  if (rows.length > MAX_UNASKED && !(await confirm(question, '', l10n.t('Open')))) return;
  // Some services count from 0.
  const start = position && new Position(Math.max(0, position.line - 1), Math.max(0, position.column - 1));
  const selection = start && new Range(start, start);
  for (const { name, path } of rows) {
    const uri = fileUri(path ?? '');
    if (!(await exists(uri))) throw new UserError(l10n.t("'{0}' is no longer at {1}.", name, path ?? ''));
    // Unlike openTextDocument, this command opens files of any size. It takes a position past the end for the end.
    await commands.executeCommand('vscode.open', uri, { preview: false, selection });
  }
}

/** Copies the IDs of tasks, one per line. */
export async function copyTaskId(store: Pick<ImportStore, 'rowsAfter'>, filter: Filter): Promise<void> {
  const rows = await rowsIn(store, filter, APPLICABLE.copyTaskId);
  const ids = rows.flatMap(({ tasks }) => tasks.map(({ id }) => taskIdText(id)));
  const [first] = ids;
  if (first === undefined) throw new UserError(l10n.t('There are no task IDs to copy.'));
  await env.clipboard.writeText(ids.join('\n'));
  const message =
    ids.length === 1 ? l10n.t('Copied task ID {0}.', first) : l10n.t('Copied task IDs: {0}', formatCount(ids.length));
  window.setStatusBarMessage(message, STATUS_BAR_MS);
}
