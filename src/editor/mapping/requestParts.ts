import { l10n } from 'vscode';
import { type Contract, DEFAULT_CONTRACT } from '../../service/contract/contract';
import { readContract, withOverride } from '../../service/contract/contractOverrides';
import { FILE_PLACEHOLDERS } from '../../service/contract/template';
import { isJsonObject, type Json, parseJson, stringifyJson } from '../../service/json/json';
import { withoutBrackets } from '../../service/request/namedParts';

/** A part of the requests that the user can edit in an input box. */
export type RequestPart = Readonly<ReturnType<typeof part>>;

/**
 * Lists the parts that can be edited in an input box. Other parts are edited in settings.json, with completion and
 * validation.
 */
export function requestParts({ queryTask }: Contract): RequestPart[] {
  const fieldsPrompt = l10n.t('Enter JSON such as {0}. Values can contain {1}.', '{"title":"a"}', placeholders());
  const headersPrompt = l10n.t('Enter JSON such as {0}.', '{"X-Tenant":"42"}');
  return [
    filePart(),
    part(['fileTask', 'fields'], 'json', l10n.t('Form Fields'), fieldsPrompt),
    bodyPart(queryTask.body),
    part(['headers'], 'json', l10n.t('Headers'), headersPrompt),
  ];
}

/** The name of the form part that contains the file. */
export function filePart(proposal?: string): RequestPart {
  const prompt = l10n.t('Leave empty to use the default.');
  return part(['fileTask', 'filePart'], 'text', l10n.t('File Part Name'), prompt, proposal);
}

/** A form field. If its name ends with the name of a placeholder, that placeholder is the proposed value. */
export function formField(name: string): RequestPart {
  const plain = withoutBrackets(name).replaceAll(/[_-]/g, '').toLowerCase();
  const value = FILE_PLACEHOLDERS.find((each) => plain.endsWith(each.toLowerCase()));
  const prompt = l10n.t('Enter a text or JSON, which can contain {0}.', placeholders());
  return part(['fileTask', 'fields', name], 'text', l10n.t("Form Field '{0}'", name), prompt, value && `\${${value}}`);
}

export function header(name: string): RequestPart {
  return part(['headers', name], 'text', l10n.t("Header '{0}'", name), l10n.t('Enter the value.'));
}

/**
 * The body of the status check with an added member that the service named. If the member's name looks like the name of
 * an ID, its value is the task ID, and it replaces the `taskId` member of the default body.
 */
export function bodyWithMember({ queryTask: { body } }: Contract, named: string): RequestPart {
  const name = withoutBrackets(named);
  if (!isJsonObject(body)) return bodyPart(body);
  if (!ID_NAME.test(name)) return bodyPart({ ...body, [name]: '' });
  const isDefault = JSON.stringify(body) === JSON.stringify(DEFAULT_CONTRACT.queryTask.body);
  const id = /(?:s|list|\])$/i.test(named) ? ['${taskId}'] : '${taskId}';
  return bodyPart({ ...(isDefault ? {} : body), [name]: id });
}

const ID_NAME =
  /^(?:file|import|task|job|upload|request|query|receipt|ticket|record|process|batch|order|doc(?:ument)?|_)*(?:id|no|num(?:ber)?|code|ref|key|uuid)_?(?:s|_?list)?$/i;

/** The body of the status check. */
export function bodyPart(proposal: Json): RequestPart {
  const prompt = l10n.t(
    'Enter JSON. "${taskId}" becomes the task ID as the service returned it, "${taskId:number}" a number, "${taskId:text}" a text. Leave empty to use the default.',
  );
  return part(['queryTask', 'body'], 'json', l10n.t('Status Check Body'), prompt, JSON.stringify(proposal));
}

/**
 * `at` is the part's key path in the contract, `as` is what the user types, and `proposal` is the initial text in the
 * input box, by default the current value.
 */
function part(at: readonly string[], as: 'text' | 'json', label: string, prompt: string, proposal?: string) {
  return { at, as, label, prompt, proposal };
}

function placeholders(): string {
  return FILE_PLACEHOLDERS.map((each) => `\${${each}}`).join(', ');
}

/** Formats a part's current value for its input box. */
export function currentText(contract: Contract, { at, as }: RequestPart): string {
  // A field may be named "constructor", which every object has.
  const value = at.reduce<unknown>((whole, key) => new Map(Object.entries(whole ?? {})).get(key), contract);
  return as === 'json' ? JSON.stringify(value) : String(value ?? '');
}

/** Parses what the user typed. Returns undefined for empty text, which resets the part. @throws SyntaxError */
export function typedValue({ as }: RequestPart, typed: string): unknown {
  const text = typed.trim();
  if (text === '') return undefined;
  return as === 'json' ? JSON.parse(text) : text;
}

/**
 * Explains why typed text isn't valid for a part. Returns undefined if it is. `overrides` are the dataset's current
 * contract overrides.
 */
export function partFault(overrides: unknown, part: RequestPart, typed: string): string | undefined {
  let value: unknown;
  try {
    value = typedValue(part, typed);
  } catch {
    return l10n.t('This is not JSON.');
  }
  if (part.as === 'json' && value !== undefined && stringifyJson(parseJson(typed)) !== JSON.stringify(value))
    return l10n.t('One of the numbers would not be sent exactly as you entered it. Put it in quotes.');
  const place = part.at.join('.');
  const { faults } = readContract(withOverride(overrides, part.at, value));
  const fault = faults.find((at) => at === place || at.startsWith(`${place}.`));
  return fault && l10n.t("'{0}' has a value that is not valid here.", fault);
}
