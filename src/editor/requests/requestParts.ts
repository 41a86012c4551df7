import { l10n } from 'vscode';
import { type Contract, DEFAULT_CONTRACT } from '../../service/contract/contract';
import { readContract, withOverride } from '../../service/contract/contractOverrides';
import { isJsonObject, type Json } from '../../service/json/json';
import { withoutBrackets } from '../../service/request/namedParts';
import { formatValueFault } from '../datasets/formatFaults';

/** An editable part of the contract for requests. */
export interface RequestPart {
  /** The keys that lead to the part in the contract. */
  readonly at: readonly string[];
  readonly label: string;
  readonly now: string;
  /** The initial input, where it differs from `now`. */
  readonly suggestion?: string;
  /** Where in the initial input to type; all of it is selected where undefined. */
  readonly cursor?: number;
  readonly prompt: string;
  /** Parses an input that is not empty. @throws SyntaxError where it is invalid */
  read(typed: string): unknown;
}

/** Parts with names, such as form fields and headers. The user can add more. */
export interface NamedParts {
  readonly parts: readonly RequestPart[];
  readonly addLabel: string;
  readonly namePrompt: string;
  /** A new, empty part of this name. */
  part(name: string): RequestPart;
}

export function formFields({ fileTask }: Contract): NamedParts {
  const values = '${fileName}, ${relativePath}, ${extension}, ${mediaType}, ${size}, ${sha256}, ${taskName}';
  const part = (name: string, now = ''): RequestPart => ({
    ...text(['fileTask', 'fields', name], l10n.t("Form Field '{0}'", name), now),
    prompt:
      now === ''
        ? l10n.t('Enter the value. It can contain {0}; they are escaped where the value is JSON.', values)
        : l10n.t(
            'Enter the value. It can contain {0}; they are escaped where the value is JSON. Leave empty to remove the field.',
            values,
          ),
  });
  return {
    parts: Object.entries(fileTask.fields).map(([name, now]) => part(name, now)),
    addLabel: l10n.t('Add Form Field…'),
    namePrompt: l10n.t('Enter the name of the form field.'),
    part,
  };
}

/** The additional headers. */
export function extraHeaders({ headers }: Contract): NamedParts {
  const part = (name: string, now = ''): RequestPart => ({
    ...text(['headers', name], l10n.t("Header '{0}'", name), now),
    prompt: now === '' ? l10n.t('Enter the value.') : l10n.t('Enter the value. Leave empty to remove the header.'),
  });
  return {
    parts: Object.entries(headers).map(([name, now]) => part(name, now)),
    addLabel: l10n.t('Add Header…'),
    namePrompt: l10n.t('Enter the name of the header.'),
    part,
  };
}

/** The name of the form part with the file. */
export function filePart({ fileTask }: Contract): RequestPart {
  return text(['fileTask', 'filePart'], l10n.t('File Part Name'), fileTask.filePart);
}

/**
 * The body of the query. `idName` is the property name of the task ID in responses, which is suggested for the body, since
 * services often use the same name.
 */
export function queryBody({ queryTask: { body } }: Contract, idName: string | undefined): RequestPart {
  return bodyPart(body, isDefault(body) && idName ? { [idName]: '${taskId}' } : body);
}

/**
 * The body of the query with a member that the service named: `a.b` is member `b` of member `a`, and `a[]` a list. It holds
 * the ID where its name is that of an ID, or among `idPath`, the property names that lead to the task ID in responses.
 */
export function bodyWithMember(
  { queryTask: { body } }: Contract,
  named: string,
  idPath: readonly string[] = [],
): RequestPart {
  const last = withoutBrackets(named.split('.').at(-1) ?? named);
  return bodyPart(body, withMember(body, named, idPath.includes(last) || isIdName(last)));
}

function isDefault(body: Json): boolean {
  return JSON.stringify(body) === JSON.stringify(DEFAULT_CONTRACT.queryTask.body);
}

function bodyPart(body: Json, suggested: Json): RequestPart {
  const suggestion = JSON.stringify(suggested);
  const inEmptyMember = /""[\]}]+$/.exec(suggestion);
  return {
    at: ['queryTask', 'body'],
    label: l10n.t('Status Check Body'),
    now: JSON.stringify(body),
    suggestion,
    // Typing must not replace the whole body.
    cursor: inEmptyMember === null ? suggestion.length - '}'.length : inEmptyMember.index + '"'.length,
    prompt: l10n.t(
      'Enter JSON. "${taskId}" becomes the task ID as the service returned it, "${taskId:number}" a number, "${taskId:text}" a text. Leave empty to use the default.',
    ),
    read: (typed) => JSON.parse(typed),
  };
}

/** A body with a member of this name: the ID, which replaces the assumed one, or empty. */
function withMember(body: Json, name: string, isId: boolean): Json {
  if (!isJsonObject(body)) return body;
  if (!isId) return withNested(body, name.split('.'), '');
  const isList = /(?:s|list)$/i.test(name);
  return withNested(isDefault(body) ? {} : body, name.split('.'), isList ? ['${taskId}'] : '${taskId}');
}

function withNested(whole: Json | undefined, [first = '', ...inner]: readonly string[], value: Json): Json {
  const base = isJsonObject(whole) ? whole : {};
  const name = withoutBrackets(first);
  const known = base[name];
  const isList = name !== first;
  const element = isList && Array.isArray(known) ? (known as readonly Json[])[0] : known;
  const member = inner.length === 0 ? value : withNested(element, inner, value);
  return { ...base, [name]: isList ? [member] : member };
}

function isIdName(name: string): boolean {
  const what = 'file|import|task|job|upload|request|query|receipt|ticket|record|process|batch|order|_';
  return new RegExp(`^(?:${what})*(?:id|no|num(?:ber)?|code|ref|key|uuid)_?(?:s|_?list)?$`, 'i').test(name);
}

export function webhookPath({ paths }: Contract): RequestPart {
  return text(['paths', 'setWebhook'], l10n.t('Webhook Path'), paths.setWebhook);
}

export function pathsAndCodes(contract: Contract): RequestPart[] {
  const { paths, codes } = contract;
  return [
    text(['paths', 'fileTask'], l10n.t('Import Path'), paths.fileTask),
    text(['paths', 'queryTask'], l10n.t('Status Check Path'), paths.queryTask),
    webhookPath(contract),
    listOfCodes('badKey', l10n.t('Codes That Mean a Bad Access Key'), codes.badKey),
    listOfCodes('tryLater', l10n.t('Codes That Mean Try Again Later'), codes.tryLater),
  ];
}

/** The value of an input; undefined for an empty input, which resets the part to its default. */
export function typedValue(part: RequestPart, typed: string): unknown {
  return typed.trim() === '' ? undefined : part.read(typed);
}

/** Why an input is invalid for a part of these overrides; undefined where it is valid. */
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
  return { at, label, now, prompt: l10n.t('Leave empty to use the default.'), read: (typed) => typed.trim() };
}

function listOfCodes(name: 'badKey' | 'tryLater', label: string, now: readonly string[]): RequestPart {
  const prompt = l10n.t('Enter response codes, separated by commas. Leave empty for none.');
  const read = (typed: string) =>
    typed
      .split(/[,，]/)
      .map((code) => code.trim())
      .filter((code) => code !== '');
  return { at: ['codes', name], label, now: now.join(', '), prompt, read };
}
