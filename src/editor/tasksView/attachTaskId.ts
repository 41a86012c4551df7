import { l10n, type QuickPickItem } from 'vscode';
import { couldBeNumber, type TaskId, taskIdText, typedTaskId } from '../../service/json/taskId';
import type { Following } from '../../tasks/following/following';
import { causeOf } from '../../tasks/sending/importEnd';
import type { FileRow } from '../../tasks/store/model';
import { chooseDataset } from '../datasets/chooseDataset';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import { type DatasetNode, datasetAt } from '../datasets/findDataset';
import { makeReady } from '../datasets/makeReady';
import { dialogTitle, UserError } from '../platform/actions';
import type { Picks } from '../platform/window';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services';
import { formatCause } from '../wording/causes';
import { capitalized, formatMeaning, rowLabel } from '../wording/states';
import { APPLICABLE } from './chooseRows';
import type { DetailsDocuments } from './details';

type AskServices = Pick<Services, 'store' | 'datasets' | 'keys' | 'sandbox' | 'picks' | 'confirm'>;
type AttachServices = AskServices & { readonly following: Pick<Following, 'lookUp'> };
type TrackServices = AskServices & { readonly details: Pick<DetailsDocuments, 'show'> };

/** Asks for a task ID and attaches it to an import that is unconfirmed or has no task ID. */
export async function attachTaskId(services: AttachServices, row: FileRow): Promise<void> {
  const name = rowLabel(row);
  if (!APPLICABLE.attachTaskId.some((state) => state === row.state)) throw notWaitingForId(name);
  if ((await ensureAccessKey(services, datasetAt(services, row))) === undefined) return;
  const prompt = l10n.t("Enter the task ID that {0} assigned to '{1}'.", row.dataset, name);
  const id = await askTaskId(services, dialogTitle('attachTaskId'), prompt);
  if (id === undefined) return;
  if (!(await confirmUnknown(services, row, id))) return;
  const [attached] = await services.store.attach({ rows: [{ import: row.import.id, ids: [id] }], byMapping: false });
  // The file may have been imported again while the dialogs were open.
  if (attached !== 'attached') throw notWaitingForId(name);
}

function notWaitingForId(name: string): UserError {
  return new UserError(l10n.t("'{0}' is not waiting for a task ID.", name));
}

/** Asks for confirmation unless the service knows the task, because an attached ID can't be replaced. */
async function confirmUnknown(services: AttachServices, row: FileRow, id: TaskId): Promise<boolean> {
  const { dataset } = row;
  const text = taskIdText(id);
  const lookUp = (signal: AbortSignal) => services.following.lookUp(row, id, signal);
  const outcome = await withDelayedProgress(l10n.t('Checking whether {0} knows task {1}', dataset, text), lookUp);
  if (outcome === undefined) return false;
  const isAccepted = outcome.kind === 'accepted';
  if (isAccepted && outcome.value.meaning !== 'none') return true;
  const why = isAccepted ? capitalized(formatMeaning('none')) : formatCause(causeOf(outcome));
  const question = l10n.t('Could not confirm that {0} knows task {1}. Attach it anyway?', dataset, text);
  return services.confirm(question, why, l10n.t('Attach'));
}

/**
 * Tracks a task that was created elsewhere. Uses the clicked dataset or the default dataset. If there is neither, asks
 * the user.
 */
export async function trackTask(services: TrackServices, clicked: DatasetNode | undefined): Promise<void> {
  const title = dialogTitle('attachTaskId');
  const dataset = await chooseDataset(services, clicked, title);
  if (dataset === undefined || !(await makeReady(services, dataset))) return;
  const id = await askTaskId(services, title, l10n.t("Enter the ID of a task of dataset '{0}'.", dataset.name));
  if (id === undefined) return;
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  await services.details.show(await services.store.track({ destination, id, name: '' }));
}

/** Asks for a task ID, and for its JSON type if that is ambiguous. Masks access keys in the input. */
async function askTaskId({ keys, picks }: AskServices, title: string, prompt: string): Promise<TaskId | undefined> {
  const validateInput = (text: string) => (text.trim() === '' ? l10n.t('Enter the ID of a task.') : undefined);
  const typed = await picks.text({ title, prompt, validateInput });
  if (typed === undefined) return undefined;
  const id = keys.mask(typed.trim());
  const as = couldBeNumber(id) ? await askType(picks, title, id) : 'string';
  return as && typedTaskId(id, as);
}

/**
 * An ID that looks like a number can be a JSON string or a JSON number. A service accepts only the type that it uses.
 */
async function askType(picks: Picks, title: string, digits: string): Promise<'string' | 'number' | undefined> {
  const items: (QuickPickItem & { as: 'string' | 'number' })[] = [
    { label: `"${digits}"`, description: l10n.t('Text: the service writes IDs in quotes'), as: 'string' },
    { label: digits, description: l10n.t('Number: the service writes IDs without quotes'), as: 'number' },
  ];
  return (await picks.one(items, { title, placeHolder: l10n.t('Select how the service writes this ID in JSON') }))?.as;
}
