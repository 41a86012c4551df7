import { l10n } from 'vscode';
import { type Contract, DEFAULT_CONTRACT } from '../../service/contract/contract';
import { readContract, withOverride } from '../../service/contract/contractOverrides';
import { formatValueFault } from '../datasets/formatFaults';

/** A part of the contract on the request side: where it stands, what it is now, and how it is typed. */
export interface RequestPart {
  readonly at: readonly string[];
  readonly label: string;
  readonly now: string;
  /** What to begin typing with, where that is not what it is now. */
  readonly suggestion?: string;
  readonly prompt: string;
  /** The value of a text that is not empty. @throws SyntaxError where it is none */
  read(typed: string): unknown;
}

/** A kind of named parts, of which there can be more: form fields, headers. */
export interface NamedParts {
  readonly parts: readonly RequestPart[];
  readonly addLabel: string;
  readonly namePrompt: string;
  /** The part of this name, to be typed for the first time. */
  part(name: string): RequestPart;
}

/** The form fields of the import. */
export function formFields({ fileTask }: Contract): NamedParts {
  const prompt = l10n.t('Its value. It may hold ${fileName}, ${relativePath}, ${size}, ${sha256} and ${taskName}.');
  const part = (name: string, now = '') => ({
    ...text(['fileTask', 'fields', name], l10n.t("Form field '{0}'", name), now),
    prompt: orNoMore(prompt, now),
  });
  return {
    parts: Object.entries(fileTask.fields).map(([name, now]) => part(name, now)),
    addLabel: l10n.t('Add Form Field…'),
    namePrompt: l10n.t('The name of the form field.'),
    part,
  };
}

/** The headers besides the shown ones. */
export function extraHeaders({ headers }: Contract): NamedParts {
  const part = (name: string, now = '') => ({
    ...text(['headers', name], l10n.t("Header '{0}'", name), now),
    prompt: orNoMore(l10n.t('Its value.'), now),
  });
  return {
    parts: Object.entries(headers).map(([name, now]) => part(name, now)),
    addLabel: l10n.t('Add Header…'),
    namePrompt: l10n.t('The name of the header.'),
    part,
  };
}

/** The name of the form part with the file. */
export function filePart({ fileTask }: Contract): RequestPart {
  return text(['fileTask', 'filePart'], l10n.t('Form part of the file'), fileTask.filePart);
}

/**
 * The body of the query. `idName` is the name under which the service gave an id: queries often want it under the same,
 * so that is what typing begins with.
 */
export function queryBody({ queryTask: { body } }: Contract, idName: string | undefined): RequestPart {
  const isDefault = JSON.stringify(body) === JSON.stringify(DEFAULT_CONTRACT.queryTask.body);
  return {
    at: ['queryTask', 'body'],
    label: l10n.t('Body of the query'),
    now: JSON.stringify(body),
    suggestion: JSON.stringify(isDefault && idName !== undefined ? { [idName]: '${taskId}' } : body),
    prompt: l10n.t(
      'JSON. "${taskId}" alone in quotes becomes the ID in the type in which the service gave it. Leave it empty for the default.',
    ),
    read: (typed) => JSON.parse(typed),
  };
}

/** The paths of the operations, and the codes of the envelope that mean something to us. */
export function pathsAndCodes({ paths, codes }: Contract): RequestPart[] {
  return [
    text(['paths', 'fileTask'], l10n.t('Path of the import'), paths.fileTask),
    text(['paths', 'queryTask'], l10n.t('Path of the query'), paths.queryTask),
    text(['paths', 'setWebhook'], l10n.t('Path of the webhook'), paths.setWebhook),
    listOfCodes('badKey', l10n.t('Codes that mean a bad Access-Key'), codes.badKey),
    listOfCodes('tryLater', l10n.t('Codes that mean to try later'), codes.tryLater),
  ];
}

/** The value that was typed for a part; undefined for an empty text, which goes back to the default. */
export function typedValue(part: RequestPart, typed: string): unknown {
  return typed.trim() === '' ? undefined : part.read(typed);
}

/** What would be wrong with a dataset's overrides if this text were taken for a part. */
export function partFault(overrides: unknown, part: RequestPart, typed: string): string | undefined {
  let value: unknown;
  try {
    value = typedValue(part, typed);
  } catch {
    return l10n.t('This is not JSON.');
  }
  const place = part.at.join('.');
  const fault = readContract(withOverride(overrides, part.at, value)).faults.find(
    ({ at }) => at === place || at.startsWith(`${place}.`),
  );
  return fault && formatValueFault(fault.what);
}

function text(at: readonly string[], label: string, now: string): RequestPart {
  return { at, label, now, prompt: l10n.t('Leave it empty for the default.'), read: (typed) => typed.trim() };
}

function orNoMore(prompt: string, now: string): string {
  return now === '' ? prompt : l10n.t('{0} Leave it empty to send it no more.', prompt);
}

function listOfCodes(name: 'badKey' | 'tryLater', label: string, now: readonly string[]): RequestPart {
  const prompt = l10n.t('Codes of the envelope, with commas between them. Leave it empty for none.');
  const read = (typed: string) =>
    typed
      .split(',')
      .map((code) => code.trim())
      .filter((code) => code !== '');
  return { at: ['codes', name], label, now: now.join(', '), prompt, read };
}
