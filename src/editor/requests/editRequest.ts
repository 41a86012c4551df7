import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { EACH } from '../../service/json/jsonPointer';
import { isOf } from '../../tasks/destination';
import type { TaskList } from '../../tasks/store/taskList';
import { chooseDataset } from '../datasets/chooseDataset';
import type { DatasetDeps } from '../datasets/findDataset';
import type { Action } from '../platform/userError';
import { window } from '../platform/window';
import {
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

/** Lets the user change the assumed parts of the contract for requests. */
export async function editRequest(deps: EditDeps, target: unknown): Promise<void> {
  const dataset = await chooseDataset(deps, target, l10n.t('Edit Request'));
  if (dataset !== undefined) await editRequestOf(deps, dataset);
}

/** The button that edits the requests to a dataset; calls `then` after a change. */
export function editRequestAction(deps: EditDeps, dataset: () => Dataset, then?: () => unknown): Action {
  const run = async () => {
    if (await editRequestOf(deps, dataset())) await then?.();
  };
  return { label: l10n.t('Edit Request…'), run };
}

/** Resolves to whether anything was changed. */
async function editRequestOf(deps: EditDeps, dataset: Dataset): Promise<boolean> {
  const title = l10n.t('Edit Request');
  const { contract } = dataset;
  const edit = (part: RequestPart): Choice => ({
    label: part.label,
    description: part.now,
    choose: () => editPart(deps, dataset, part),
  });
  const editNamed = (named: NamedParts): Choice[] => [
    ...named.parts.map(edit),
    { label: named.addLabel, iconPath: new ThemeIcon('add'), choose: () => addPart(deps, dataset, named) },
  ];
  const choices = [
    edit(filePart(contract)),
    ...editNamed(formFields(contract)),
    edit(queryBody(contract, idName(deps, dataset))),
    ...editNamed(extraHeaders(contract)),
    ...pathsAndCodes(contract).map(edit),
  ];
  const placeHolder = l10n.t("What is sent to dataset '{0}'", dataset.name);
  const picked = await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
  return picked === undefined ? false : picked.choose();
}

async function editPart({ datasets }: DatasetDeps, dataset: Dataset, part: RequestPart): Promise<boolean> {
  const overrides = datasets.overrides(dataset);
  const typed = await window.showInputBox({
    title: part.label,
    prompt: part.prompt,
    value: part.suggestion ?? part.now,
    ignoreFocusOut: true,
    validateInput: (text) => partFault(overrides, part, text),
  });
  if (typed === undefined) return false;
  await datasets.override(dataset, part.at, typedValue(part, typed));
  return true;
}

async function addPart(
  deps: DatasetDeps,
  dataset: Dataset,
  { addLabel, namePrompt, part }: NamedParts,
): Promise<boolean> {
  const overrides = deps.datasets.overrides(dataset);
  const name = await window.showInputBox({
    title: addLabel,
    prompt: namePrompt,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' ? l10n.t('Enter a name.') : partFault(overrides, part(text.trim()), 'any value'),
  });
  return name !== undefined && editPart(deps, dataset, part(name.trim()));
}

/** The property name of the task ID in the responses of a dataset's service. */
function idName({ list }: EditDeps, dataset: Dataset): string | undefined {
  const task = list.tasks.find((task) => isOf(task, dataset) && task.taskIdFrom !== undefined);
  const name = task?.taskIdFrom?.pointer.split('/').at(-1);
  return name === EACH ? undefined : name;
}
