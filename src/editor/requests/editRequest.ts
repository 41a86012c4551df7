import { commands, l10n, type QuickPickItem } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { isPlaceholder } from '../../service/contract/placeholders';
import { pointerNames } from '../../service/json/jsonPointer';
import { withoutBrackets } from '../../service/request/namedParts';
import { isOf } from '../../tasks/destination';
import { newestTask } from '../../tasks/history/walk';
import { chooseDataset } from '../datasets/chooseDataset';
import type { DatasetNode } from '../datasets/datasetNode';
import { datasetAt, testConnectionAction } from '../datasets/findDataset';
import { formatCount } from '../platform/formatNumbers';
import { openDatasetsSetting } from '../platform/settings';
import type { Action } from '../platform/userError';
import { separator } from '../platform/window';
import type { Services } from '../services';
import type { CommandTarget } from '../targets';
import { isTaskNode, type TaskNode } from '../taskItems/tasksNode';
import { pickTaskFor } from '../tree/pickTaskFor';
import { namesToSend, type Rejection, readRejection, rejectedAlike } from './rejection';
import * as parts from './requestParts';

type Choice = QuickPickItem & Partial<parts.RequestPart>;

/** Lets the user edit the requests to a dataset; of a rejected task, begins with what its service named. */
export async function editRequest(services: Services, target: CommandTarget<TaskNode | DatasetNode>): Promise<void> {
  const [row] = target.rows;
  const task = isTaskNode(row) ? await pickTaskFor(services, 'editRequest', { ...target, rows: [row] }) : undefined;
  if (isTaskNode(row) && task === undefined) return;
  const title = l10n.t('Edit Request');
  const dataset = task ? datasetAt(services, task) : await chooseDataset(services, row, title);
  const rejection = task && readRejection(task);
  if (dataset === undefined || !(await editParts(services, dataset, rejection))) return;
  const { name } = dataset;
  const refusal = task?.phase.kind === 'rejected' ? task.phase.refusal : undefined;
  const destination = { dataset: name, origin: dataset.baseUrl.origin };
  const isOfQuery = rejection?.operation === 'queryTask';
  const rejected = isOfQuery ? [] : await rejectedAlike(services.list, destination, refusal);
  if (rejected.length === 0) {
    const message = l10n.t("The request settings of dataset '{0}' were changed.", name);
    return services.messages.done(message, testConnectionAction(dataset));
  }
  const rows = rejected.map(({ key }): TaskNode => ({ taskKey: key }));
  const run = () => commands.executeCommand('datasetImport.importAgain', rows[0], rows);
  const message = l10n.t(
    "The request settings of dataset '{0}' were changed. Rejected imports: {1}.",
    ...[name, formatCount(rows.length)],
  );
  await services.messages.done(message, { label: l10n.t('Import Again'), run });
}

/** The button that edits the requests to a dataset; calls `then` after a change. */
export function editRequestAction(
  services: Services,
  dataset: () => Dataset,
  then?: () => unknown,
  rejection?: Rejection,
  label = l10n.t('Edit Request…'),
): Action {
  const run = async () => {
    if (await editParts(services, dataset(), rejection)) await then?.();
  };
  return { label, run };
}

/** Opens the likeliest part that a rejection names, then a list of all parts. Resolves to whether any was changed. */
async function editParts(services: Services, dataset: Dataset, rejection: Rejection | undefined): Promise<boolean> {
  const { datasets, picks } = services;
  const { contract } = dataset;
  const overrides = datasets.overrides(dataset);
  const titleWith = (title: string) => (rejection === undefined ? title : `${title} · ${rejection.text}`);
  const edit = async (part: parts.RequestPart) => {
    const now = parts.currentText(contract, part);
    const { proposal: value = now, prompt, label } = part;
    // Typing must not replace the whole JSON.
    const cursor = (/""[\]}]+$/.exec(value)?.index ?? value.length - 2) + 1;
    const valueSelection: [number, number] = part.as === 'json' ? [cursor, cursor] : [0, value.length];
    const validateInput = (text: string) => parts.partFault(overrides, part, text);
    const title = titleWith(label);
    const typed = await picks.text({ title, prompt, value, valueSelection, ignoreFocusOut: true, validateInput });
    if (typed === undefined || typed.trim() === now) return false;
    await datasets.override(dataset, part.at, parts.typedValue(part, typed));
    return true;
  };
  const idName = await idNameOf(services, dataset);
  const body = parts.queryBody(contract, idName);
  const named = namedParts(dataset, rejection, idName).filter(
    (part) => parts.partFault(overrides, part, part.proposal ?? 'any value') === undefined,
  );
  // If the service read a query and named nothing, something is wrong in the body.
  const isInBody = rejection?.operation === 'queryTask' && rejection.by === 'envelope';
  const likeliest = named[0] ?? (isInBody ? body : undefined);
  if (likeliest !== undefined && (await edit(likeliest))) return true;
  const all = parts.requestParts(body).map((part) => ({ ...part, description: parts.currentText(contract, part) }));
  const settings: Choice = {
    label: l10n.t('Open Dataset Settings'),
    description: l10n.t('media type, file name encoding, response codes, paths'),
  };
  const choices: Choice[] =
    named.length === 0
      ? [...all, settings]
      : [separator(l10n.t('named by the service')), ...named, separator(l10n.t('all parts')), ...all, settings];
  const placeHolder = l10n.t("Select what to change in requests to dataset '{0}'", dataset.name);
  const title = titleWith(l10n.t('Edit Request'));
  const picked = await picks.one(choices, { title, placeHolder, ignoreFocusOut: true });
  if (picked === settings) await openDatasetsSetting();
  return picked?.at !== undefined && edit(picked as parts.RequestPart);
}

/** The parts that can have the names in a rejection, the likeliest of each name first. */
function namedParts({ contract }: Dataset, rejection?: Rejection, idName?: string): parts.RequestPart[] {
  const names = rejection === undefined ? [] : namesToSend(rejection, contract);
  return names.flatMap((name) => {
    const isFile = /^(?:files?|doc(?:ument)?s?|attachments?|uploads?|content)$/i.test(withoutBrackets(name));
    const inForm = [parts.formField(name), parts.filePart(name)];
    const inBody = [parts.bodyWithMember(contract, name, idName)];
    const likely = rejection?.operation === 'queryTask' ? inBody : isFile ? inForm.toReversed() : inForm;
    return /^x-/i.test(name) ? [parts.header(name), ...likely] : [...likely, parts.header(name)];
  });
}

/** The name of the task ID in the responses of a dataset's service. */
async function idNameOf({ list }: Services, dataset: Dataset): Promise<string | undefined> {
  const task = await newestTask(list.history, (one) => isOf(one, dataset) && one.taskIdFrom !== undefined);
  const name = pointerNames(task?.taskIdFrom?.pointer ?? '').at(-1);
  return name === undefined || isPlaceholder(name) ? undefined : name;
}
