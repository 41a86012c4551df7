import { commands, l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { pointerNames } from '../../service/json/jsonPointer';
import { isPlaceholder } from '../../service/places/placeholders';
import type { MissingPart } from '../../service/request/missingPart';
import { wantedIdType } from '../../service/request/wantedIdType';
import { isOf } from '../../tasks/destination';
import type { TaskList } from '../../tasks/store/taskList';
import { chooseDataset } from '../datasets/chooseDataset';
import { type DatasetDeps, datasetAt, datasetNamed, testConnectionAction } from '../datasets/findDataset';
import type { Messages } from '../platform/messages';
import type { Action } from '../platform/userError';
import { pickTaskFor } from '../tree/pickTaskFor';
import { isTaskNode } from '../tree/rows/tasksNode';
import { chooseFieldValue } from './fieldValue';
import { missingPartOf, type Rejection, readRejection } from './rejection';
import {
  bodyWithMember,
  extraHeaders,
  filePart,
  formFields,
  type NamedParts,
  partFault,
  pathsAndCodes,
  queryBody,
  type RequestPart,
  typedValue,
} from './requestParts';

export interface EditDeps extends DatasetDeps {
  readonly list: TaskList;
}

type Choice = QuickPickItem & { choose(): Promise<boolean> };

/** Lets the user change the assumed parts of the contract for requests, of a rejected task what its service named. */
export async function editRequest(deps: EditDeps & { readonly messages: Messages }, target: unknown): Promise<void> {
  const task = isTaskNode(target) ? await pickTaskFor(deps, 'editRequest', target) : undefined;
  if (isTaskNode(target) && task === undefined) return;
  const dataset =
    task === undefined ? await chooseDataset(deps, target, l10n.t('Edit Request')) : datasetAt(deps, task);
  const rejection = task && (await readRejection(deps.list, task));
  if (dataset === undefined || !(await editRequestOf(deps, dataset, rejection))) return;
  const again: Action = {
    label: l10n.t('Retry Import'),
    run: () => commands.executeCommand('datasetImport.retryImport', target),
  };
  await requestChanged(deps, dataset, rejection?.operation === 'fileTask' ? again : testConnectionAction(dataset), () =>
    editRequest(deps, target),
  );
}

/** Tells that the requests to a dataset were changed, and offers what helps next. */
function requestChanged(
  { messages }: { readonly messages: Messages },
  { name }: Dataset,
  next: Action,
  edit: () => unknown,
): Promise<void> {
  const message = l10n.t("The request settings of dataset '{0}' were changed.", name);
  return messages.done(message, next, { label: l10n.t('Edit Request…'), run: edit });
}

/** The button that edits the requests to a dataset; calls `then` after a change. It begins with what `rejected` lacks. */
export function editRequestAction(
  deps: EditDeps,
  dataset: () => Dataset,
  then?: () => unknown,
  rejected?: () => Promise<Rejection | undefined>,
  label = l10n.t('Edit Request…'),
): Action {
  const run = async () => {
    if (await editRequestOf(deps, dataset(), await rejected?.())) await then?.();
  };
  return { label, run };
}

/** Resolves to whether anything was changed. Where the user leaves what a rejection named, all parts are offered. */
async function editRequestOf(deps: EditDeps, dataset: Dataset, rejection?: Rejection): Promise<boolean> {
  if (rejection !== undefined && (await mendRejected(deps, dataset, rejection))) return true;
  const title = l10n.t('Edit Request');
  const { contract } = dataset;
  const edit = (part: RequestPart): Choice => ({
    label: part.label,
    description: part.now,
    choose: () => editRequestPart(deps, dataset, part),
  });
  const editNamed = (named: NamedParts, add: (name: string) => Promise<boolean>): Choice[] => [
    ...named.parts.map(edit),
    {
      label: named.addLabel,
      iconPath: new ThemeIcon('add'),
      choose: async () => {
        const name = await askName(deps, dataset, named);
        return name !== undefined && add(name);
      },
    },
  ];
  const headers = extraHeaders(contract);
  const choices = [
    edit(filePart(contract)),
    ...editNamed(formFields(contract), (name) => addField(deps, dataset, name, false)),
    edit(queryBody(contract, await idName(deps, dataset))),
    ...editNamed(headers, (name) => editRequestPart(deps, dataset, headers.part(name))),
    ...pathsAndCodes(contract).map(edit),
  ];
  const placeHolder = l10n.t("Select what to change in requests to dataset '{0}'", dataset.name);
  const picked = await deps.picks.one(choices, { title, placeHolder, ignoreFocusOut: true });
  return picked === undefined ? false : picked.choose();
}

/** Lets the user change a part of the requests to a dataset. Resolves to whether it was changed. */
export async function editRequestPart(
  { datasets, picks }: DatasetDeps,
  dataset: Dataset,
  part: RequestPart,
): Promise<boolean> {
  const overrides = datasets.overrides(dataset);
  const typed = await picks.text({
    title: part.label,
    prompt: part.prompt,
    value: part.suggestion ?? part.now,
    ...(part.cursor !== undefined && { valueSelection: [part.cursor, part.cursor] }),
    ignoreFocusOut: true,
    validateInput: (text) => partFault(overrides, part, text),
  });
  if (typed === undefined || typed.trim() === part.now) return false;
  await datasets.override(dataset, part.at, typedValue(part, typed));
  return true;
}

function askName({ datasets, picks }: DatasetDeps, dataset: Dataset, named: NamedParts): Promise<string | undefined> {
  const overrides = datasets.overrides(dataset);
  const { addLabel: title, namePrompt: prompt, part } = named;
  const validateInput = (text: string) =>
    text.trim() === '' ? l10n.t('Enter a name.') : partFault(overrides, part(text.trim()), 'any value');
  const typed = picks.text({ title, prompt, ignoreFocusOut: true, validateInput });
  return Promise.resolve(typed).then((name) => name?.trim());
}

/** Begins with what a rejection is about. Resolves to false where that is not plain, or the user leaves it. */
async function mendRejected(deps: EditDeps, dataset: Dataset, rejection: Rejection): Promise<boolean> {
  const { operation, by } = rejection;
  if (missingPartOf(rejection, dataset.contract) !== undefined) return addMissing(deps, dataset, rejection);
  // A service that read the query found something wrong in its body.
  if (operation !== 'queryTask' || by !== 'envelope') return false;
  return editRequestPart(
    deps,
    dataset,
    queryBody(dataset.contract, await idName(deps, dataset), wantedIdType(rejection.words)),
  );
}

/**
 * Adds the part that a rejection names, and one after the other the further ones that it certainly names. Resolves to
 * false where it names none, or the user does not want the first one.
 */
async function addMissing(deps: EditDeps, { name }: Dataset, rejection: Rejection): Promise<boolean> {
  const asked: string[] = [];
  for (;;) {
    const dataset = datasetNamed(deps, name);
    const missing = missingPartOf(rejection, dataset.contract, asked.length === 0 ? undefined : 'certain');
    const isNew = missing !== undefined && !asked.includes(missing.name);
    if (!isNew || !(await addPart(deps, dataset, rejection, missing))) return asked.length > 0;
    asked.push(missing.name);
  }
}

/** Resolves to false where the user does not want it. */
async function addPart(
  deps: EditDeps,
  dataset: Dataset,
  rejection: Rejection,
  { name, isHeader }: MissingPart,
): Promise<boolean> {
  const { contract } = dataset;
  if (isHeader) {
    const part = extraHeaders(contract).part(name);
    const isUsable = partFault(deps.datasets.overrides(dataset), part, 'any value') === undefined;
    return isUsable && editRequestPart(deps, dataset, part);
  }
  return rejection.operation === 'fileTask'
    ? addField(deps, dataset, name, true)
    : editRequestPart(deps, dataset, bodyWithMember(contract, name, await idPath(deps, dataset)));
}

/** Adds a form field. `isNamed` is whether the service named it. */
async function addField(deps: EditDeps, dataset: Dataset, name: string, isNamed: boolean): Promise<boolean> {
  const value = await chooseFieldValue(deps, dataset, name, isNamed);
  if (value === undefined) return false;
  const part = formFields(dataset.contract).part(name);
  if (value === 'typed') return editRequestPart(deps, dataset, part);
  const [at, text] = value === 'file' ? [filePart(dataset.contract).at, name] : [part.at, value.text];
  await deps.datasets.override(dataset, at, text);
  return true;
}

/** The property names that lead to the task ID in the responses of a dataset's service. */
async function idPath({ list }: EditDeps, dataset: Dataset): Promise<readonly string[]> {
  const task = await list.history.find((task) => isOf(task, dataset) && task.taskIdFrom !== undefined);
  return pointerNames(task?.taskIdFrom?.pointer ?? '');
}

/** The property name of the task ID in the responses of a dataset's service. */
async function idName(deps: EditDeps, dataset: Dataset): Promise<string | undefined> {
  const name = (await idPath(deps, dataset)).at(-1);
  return name === undefined || isPlaceholder(name) ? undefined : name;
}
