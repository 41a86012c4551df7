import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { chooseDataset } from '../datasets/chooseDataset';
import type { DatasetNode } from '../datasets/datasetNode';
import { datasetAt, testConnectionAction } from '../datasets/findDataset';
import { type Action, commandAction } from '../platform/userError';
import { separator } from '../platform/window';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import { isTaskNode, type TaskNode } from '../taskItems/tasksNode';
import { pickTaskFor } from '../tree/pickTaskFor';
import { addField, askName, editRequestPart, idName, idPath, nameFilePart, titleWith } from './editPart';
import { isFileName } from './fieldValue';
import { namesToSend, type Rejection, readRejection } from './rejection';
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
} from './requestParts';

type Choice = QuickPickItem & { choose?(): Promise<boolean> };

/** Lets the user change the assumed parts of the contract for requests, of a rejected task what its service named. */
export async function editRequest(services: Services, target: CommandTarget<TaskNode | DatasetNode>): Promise<void> {
  const [row] = target.rows;
  const task = isTaskNode(row) ? await pickTaskFor(services, 'editRequest', { ...target, rows: [row] }) : undefined;
  if (isTaskNode(row) && task === undefined) return;
  const dataset =
    task === undefined ? await chooseDataset(services, row, l10n.t('Edit Request')) : datasetAt(services, task);
  const rejection = task && readRejection(task);
  if (dataset === undefined || !(await editRequestOf(services, dataset, rejection))) return;
  const again = commandAction(l10n.t('Import Again'), 'importAgain', row);
  const next = rejection?.operation === 'fileTask' ? again : testConnectionAction(dataset);
  const message = l10n.t("The request settings of dataset '{0}' were changed.", dataset.name);
  const edit = { label: l10n.t('Edit Request…'), run: () => editRequest(services, target) };
  await services.messages.done(message, next, edit);
}

/** The button that edits the requests to a dataset; calls `then` after a change. It begins with what `rejected` names. */
export function editRequestAction(
  services: Services,
  dataset: () => Dataset,
  then?: () => unknown,
  rejected?: Rejection,
  label = l10n.t('Edit Request…'),
): Action {
  const run = async () => {
    if (await editRequestOf(services, dataset(), rejected)) await then?.();
  };
  return { label, run };
}

/** Resolves to whether anything was changed. Where the user leaves what a rejection names first, all parts are offered. */
async function editRequestOf(services: Services, dataset: Dataset, rejection?: Rejection): Promise<boolean> {
  if (rejection !== undefined && (await editRejected(services, dataset, rejection))) return true;
  const named = rejection === undefined ? [] : await namedChoices(services, dataset, rejection);
  const all = await allChoices(services, dataset, rejection);
  const choices =
    named.length === 0
      ? all
      : [separator(l10n.t('named by the service')), ...named, separator(l10n.t('all parts')), ...all];
  const title = titleWith(rejection, l10n.t('Edit Request'));
  const placeHolder = l10n.t("Select what to change in requests to dataset '{0}'", dataset.name);
  const picked = await services.picks.one<Choice>(choices, { title, placeHolder, ignoreFocusOut: true });
  return (await picked?.choose?.()) ?? false;
}

/** Begins with what a rejection names first. Resolves to false where it names nothing, or the user leaves it. */
async function editRejected(services: Services, dataset: Dataset, rejection: Rejection): Promise<boolean> {
  const { contract } = dataset;
  const [name] = namesToSend(rejection, contract);
  if (name === undefined) {
    // A service that read the query found something wrong in its body.
    if (rejection.operation !== 'queryTask' || rejection.by !== 'envelope') return false;
    return editRequestPart(services, dataset, queryBody(contract, await idName(services, dataset)), rejection);
  }
  const header = headerNamed(services, dataset, name);
  if (isHeaderName(name) && header !== undefined) return editRequestPart(services, dataset, header, rejection);
  if (rejection.operation === 'fileTask') return addField(services, dataset, name, rejection, true);
  return editRequestPart(services, dataset, bodyWithMember(contract, name, await idPath(services, dataset)), rejection);
}

/** All places where what a rejection names can stand, the likeliest of each name first. */
async function namedChoices(services: Services, dataset: Dataset, rejection: Rejection): Promise<Choice[]> {
  const { contract } = dataset;
  const path = await idPath(services, dataset);
  const edit = (part: RequestPart): Choice => ({
    label: part.label,
    description: part.suggestion ?? '',
    choose: () => editRequestPart(services, dataset, part, rejection),
  });
  return namesToSend(rejection, contract).flatMap((name) => {
    const header = headerNamed(services, dataset, name);
    const headers = header === undefined ? [] : [edit(header)];
    const field: Choice = {
      label: formFields(contract).part(name).label,
      choose: () => addField(services, dataset, name, rejection),
    };
    const file: Choice = {
      label: filePart(contract).label,
      description: name,
      choose: () => nameFilePart(services, dataset, name),
    };
    const inForm = isFileName(name) ? [file, field] : [field, file];
    const inBody = rejection.operation === 'fileTask' ? inForm : [edit(bodyWithMember(contract, name, path))];
    return isHeaderName(name) ? [...headers, ...inBody] : [...inBody, ...headers];
  });
}

/** A new header of this name; undefined where there can be none. */
function headerNamed({ datasets }: Services, dataset: Dataset, name: string): RequestPart | undefined {
  const part = extraHeaders(dataset.contract).part(name);
  return partFault(datasets.overrides(dataset), part, 'any value') === undefined ? part : undefined;
}

function isHeaderName(name: string): boolean {
  return /^x-/i.test(name);
}

async function allChoices(services: Services, dataset: Dataset, rejection: Rejection | undefined): Promise<Choice[]> {
  const { contract } = dataset;
  const edit = (part: RequestPart): Choice => ({
    label: part.label,
    description: part.now,
    choose: () => editRequestPart(services, dataset, part, rejection),
  });
  const editNamed = (named: NamedParts, add: (name: string) => Promise<boolean>): Choice[] => [
    ...named.parts.map(edit),
    {
      label: named.addLabel,
      iconPath: new ThemeIcon('add'),
      choose: async () => {
        const name = await askName(services, dataset, named, rejection);
        return name !== undefined && add(name);
      },
    },
  ];
  const headers = extraHeaders(contract);
  return [
    edit(filePart(contract)),
    ...editNamed(formFields(contract), (name) => addField(services, dataset, name, rejection)),
    edit(queryBody(contract, await idName(services, dataset))),
    ...editNamed(headers, (name) => editRequestPart(services, dataset, headers.part(name), rejection)),
    ...pathsAndCodes(contract).map(edit),
  ];
}
