import { l10n, type QuickPickItem, window } from 'vscode';
import { DEFAULT_CONTRACT } from '../../service/contract';
import { readContract, withOverride } from '../../service/contractOverrides';
import type { Dataset } from '../../service/dataset';
import type { Json } from '../../service/json';
import type { TaskList } from '../../tasks/taskList';
import { type ChooseDeps, chooseDataset } from '../chooseDataset';
import { plainText } from '../plainText';

/** A part of the contract on the request side: where it stands, what it is now, and how it is typed. */
interface Part {
  readonly at: readonly string[];
  readonly label: string;
  readonly now: string;
  /** What to begin typing with, where that is not what it is now. */
  readonly suggestion?: string;
  readonly prompt: string;
  /** The value that was typed; throws what to say where it is none. An empty text goes back to the default. */
  read(text: string): unknown;
}

type Choice = QuickPickItem & { choose(): Promise<void> };

/** What editing takes. */
export interface EditDeps extends ChooseDeps {
  readonly list: TaskList;
}

/** Lets the user change what INTERFACE.md leaves open of the requests: part names, fields, headers, bodies, paths. */
export async function editRequest(deps: EditDeps, target: unknown): Promise<void> {
  const title = l10n.t('Edit Request');
  const dataset = await chooseDataset(deps, target, title);
  if (dataset === undefined) return;
  const edit = (part: Part): Choice => ({
    label: part.label,
    description: plainText(part.now),
    choose: () => editPart(deps, dataset, part),
  });
  const add = (label: string, at: readonly string[], namePrompt: string, valuePrompt: string): Choice => ({
    label: `$(add) ${label}`,
    choose: () => addNamed(deps, dataset, label, at, namePrompt, valuePrompt),
  });
  const { contract } = dataset;
  const fieldValue = l10n.t('Its value. It may hold ${fileName}, ${relativePath}, ${size}, ${sha256} and ${taskName}.');
  const headerValue = l10n.t('Its value.');
  const choices: Choice[] = [
    edit(text(['fileTask', 'filePart'], l10n.t('Form part of the file'), contract.fileTask.filePart)),
    ...named(
      ['fileTask', 'fields'],
      contract.fileTask.fields,
      (name) => l10n.t("Form field '{0}'", name),
      fieldValue,
    ).map(edit),
    add(l10n.t('Add Form Field…'), ['fileTask', 'fields'], l10n.t('The name of the form field.'), fieldValue),
    edit(queryBody(contract.queryTask.body, idNameOf(deps, dataset))),
    ...named(['headers'], contract.headers, (name) => l10n.t("Header '{0}'", name), headerValue).map(edit),
    add(l10n.t('Add Header…'), ['headers'], l10n.t('The name of the header.'), headerValue),
    edit(text(['paths', 'fileTask'], l10n.t('Path of the import'), contract.paths.fileTask)),
    edit(text(['paths', 'queryTask'], l10n.t('Path of the query'), contract.paths.queryTask)),
    edit(text(['paths', 'setWebhook'], l10n.t('Path of the webhook'), contract.paths.setWebhook)),
    edit(codes('badKey', l10n.t('Codes that mean a bad Access-Key'), contract.codes.badKey)),
    edit(codes('tryLater', l10n.t('Codes that mean to try later'), contract.codes.tryLater)),
  ];
  const placeHolder = l10n.t("What is sent to dataset '{0}'", plainText(dataset.name));
  await (await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true }))?.choose();
}

function text(at: readonly string[], label: string, now: string): Part {
  return { at, label, now, prompt: l10n.t('Leave it empty for the default.'), read: (typed) => typed.trim() };
}

function named(
  at: readonly string[],
  values: Readonly<Record<string, string>>,
  label: (name: string) => string,
  prompt: string,
): Part[] {
  const removing = l10n.t('{0} Leave it empty to send it no more.', prompt);
  return Object.entries(values).map(([name, now]) => ({ ...text([...at, name], label(name), now), prompt: removing }));
}

/** The name under which the service gave an id: queries often want it under the same. */
function idNameOf({ list }: EditDeps, { name }: Dataset): string | undefined {
  const pointer = list.tasks.find((task) => task.dataset === name && task.taskIdFrom !== undefined)?.taskIdFrom
    ?.pointer;
  return pointer?.split('/').at(-1);
}

function queryBody(body: Json, idName: string | undefined): Part {
  const isDefault = JSON.stringify(body) === JSON.stringify(DEFAULT_CONTRACT.queryTask.body);
  const suggestion = isDefault && idName !== undefined ? { [idName]: '${taskId}' } : body;
  return {
    suggestion: JSON.stringify(suggestion),
    at: ['queryTask', 'body'],
    label: l10n.t('Body of the query'),
    now: JSON.stringify(body),
    prompt: l10n.t(
      'JSON. "${taskId}" alone in quotes becomes the ID in the type in which the service gave it. Leave it empty for the default.',
    ),
    read: (typed) => JSON.parse(typed),
  };
}

function codes(name: 'badKey' | 'tryLater', label: string, now: readonly string[]): Part {
  const prompt = l10n.t('Codes of the envelope, with commas between them. Leave it empty for none.');
  const read = (typed: string) =>
    typed
      .split(',')
      .map((code) => code.trim())
      .filter((code) => code !== '');
  return { at: ['codes', name], label, now: now.join(', '), prompt, read };
}

async function editPart({ datasets }: ChooseDeps, dataset: Dataset, part: Part): Promise<void> {
  const typed = await window.showInputBox({
    title: part.label,
    prompt: part.prompt,
    value: part.suggestion ?? part.now,
    ignoreFocusOut: true,
    validateInput: (typed) => faultOf(datasets.overrides(dataset), part, typed),
  });
  if (typed !== undefined) await datasets.override(dataset, part.at, valueTyped(part, typed));
}

async function addNamed(
  deps: ChooseDeps,
  dataset: Dataset,
  title: string,
  at: readonly string[],
  namePrompt: string,
  valuePrompt: string,
): Promise<void> {
  const overrides = deps.datasets.overrides(dataset);
  const name = await window.showInputBox({
    title,
    prompt: namePrompt,
    ignoreFocusOut: true,
    validateInput: (typed) =>
      typed.trim() === '' ? l10n.t('Enter a name.') : faultOf(overrides, text([...at, typed.trim()], '', ''), 'x'),
  });
  if (name !== undefined)
    await editPart(deps, dataset, { ...text([...at, name.trim()], name, ''), prompt: valuePrompt });
}

function valueTyped(part: Part, typed: string): unknown {
  return typed.trim() === '' ? undefined : part.read(typed);
}

/** What would be wrong with the contract if this were taken. */
function faultOf(overrides: unknown, part: Part, typed: string): string | undefined {
  let value: unknown;
  try {
    value = valueTyped(part, typed);
  } catch {
    return l10n.t('This is not JSON.');
  }
  const place = part.at.join('.');
  const fault = readContract(withOverride(overrides, part.at, value)).faults.find(({ at }) => at.startsWith(place));
  return fault && l10n.t('It {0}.', fault.words);
}
