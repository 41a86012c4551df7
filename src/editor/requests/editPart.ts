import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { pointerNames } from '../../service/json/jsonPointer';
import { isPlaceholder } from '../../service/places/placeholders';
import { isOf } from '../../tasks/destination';
import { newestTask } from '../../tasks/history/walk';
import type { Services } from '../services/services';
import { chooseFieldValue } from './fieldValue';
import type { Rejection } from './rejection';
import { filePart, formFields, type NamedParts, partFault, type RequestPart, typedValue } from './requestParts';

/** The title of a box or list, in which the words of a rejection stay in sight whatever is typed. */
export function titleWith(rejection: Rejection | undefined, title: string): string {
  return rejection === undefined ? title : `${title} · ${rejection.text}`;
}

/** Lets the user change a part of the requests to a dataset. Resolves to whether it was changed. */
export async function editRequestPart(
  { datasets, picks }: Services,
  dataset: Dataset,
  part: RequestPart,
  rejection?: Rejection,
): Promise<boolean> {
  const overrides = datasets.overrides(dataset);
  const typed = await picks.text({
    title: titleWith(rejection, part.label),
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

/** Asks for the name of a new part. Undefined where the user cancels. */
export async function askName(
  { datasets, picks }: Services,
  dataset: Dataset,
  named: NamedParts,
  rejection: Rejection | undefined,
): Promise<string | undefined> {
  const overrides = datasets.overrides(dataset);
  const { addLabel, namePrompt: prompt, part } = named;
  const validateInput = (text: string) =>
    text.trim() === '' ? l10n.t('Enter a name.') : partFault(overrides, part(text.trim()), 'any value');
  const title = titleWith(rejection, addLabel);
  return (await picks.text({ title, prompt, ignoreFocusOut: true, validateInput }))?.trim();
}

/**
 * Adds a form field. Where `isGuess`, the service only named it, and it may as well be the file itself or another part of
 * the request. Resolves to false where the user leaves it.
 */
export async function addField(
  services: Services,
  dataset: Dataset,
  name: string,
  rejection: Rejection | undefined,
  isGuess = false,
): Promise<boolean> {
  const part = formFields(dataset.contract).part(name);
  const value = await chooseFieldValue(services, dataset, { name, title: titleWith(rejection, part.label), isGuess });
  if (value === undefined) return false;
  if (value === 'typed') return editRequestPart(services, dataset, part, rejection);
  if (value === 'file') return nameFilePart(services, dataset, name);
  await services.datasets.override(dataset, part.at, value.text);
  return true;
}

/** Sends the file under this name. */
export async function nameFilePart({ datasets }: Services, dataset: Dataset, name: string): Promise<boolean> {
  await datasets.override(dataset, filePart(dataset.contract).at, name);
  return true;
}

/** The property names that lead to the task ID in the responses of a dataset's service. */
export async function idPath({ list }: Services, dataset: Dataset): Promise<readonly string[]> {
  const task = await newestTask(list.history, (task) => isOf(task, dataset) && task.taskIdFrom !== undefined);
  return pointerNames(task?.taskIdFrom?.pointer ?? '');
}

/** The property name of the task ID in the responses of a dataset's service. */
export async function idName(services: Services, dataset: Dataset): Promise<string | undefined> {
  const name = (await idPath(services, dataset)).at(-1);
  return name === undefined || isPlaceholder(name) ? undefined : name;
}
