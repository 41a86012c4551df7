import { isExactNumber, type Json, leafText, stringifyJson } from '../json/json';

/** The placeholders in form fields. */
export const FILE_PLACEHOLDERS = [
  'fileName',
  'relativePath',
  'extension',
  'mediaType',
  'size',
  'sha256',
  'taskName',
] as const;

/**
 * The values of the placeholders in form fields. `extension` has no dot, `mediaType` is the file part's media type, and
 * `taskName` is the file name without its extension. `sha256` is hexadecimal, and absent if no field needs it.
 */
export type FileFacts = Readonly<
  Record<Exclude<(typeof FILE_PLACEHOLDERS)[number], 'size' | 'sha256'>, string> & { size: number; sha256?: string }
>;

/** The placeholders in the query's body: the ID as the service returned it, as a number, or as text. */
export const QUERY_PLACEHOLDERS = ['taskId', 'taskId:number', 'taskId:text'] as const;

const placeholder = /\$\{(\w+(?::\w+)?)\}/g;

/** The names of the placeholders (`${name}`, `${name:kind}`) in a template's strings. */
export function placeholdersIn(template: Json): string[] {
  const text = typeof template === 'string' ? template : JSON.stringify(template);
  return [...text.matchAll(placeholder)].map((match) => match[1] ?? '');
}

/**
 * Replaces the known placeholders in a string. If the string is a JSON object or list, it stays JSON: values are escaped inside
 * its strings and written as JSON elsewhere. All other text stays unchanged.
 */
export function fillText(template: string, values: Values): string {
  if (!isJsonText(template)) return fill(template, values, leafText);
  return template.replace(/"(?:[^"\\]|\\.)*"|\$\{\w+(?::\w+)?\}/g, (token) =>
    fill(token, values, token.startsWith('"') ? escapedText : stringifyJson),
  );
}

type Values = Readonly<Record<string, Json>>;

function fill(text: string, values: Values, write: (value: Json) => string | undefined): string {
  return text.replace(placeholder, (whole, name: string) => {
    const value = valueNamed(values, name);
    return (value === undefined ? undefined : write(value)) ?? whole;
  });
}

function escapedText(value: Json): string | undefined {
  const text = leafText(value);
  return text === undefined ? undefined : JSON.stringify(text).slice(1, -1);
}

/**
 * Replaces the placeholders in the strings of a JSON template. A string that is only a placeholder becomes the value itself, so
 * a numeric task ID stays a number.
 */
export function fillTemplate(template: Json, values: Values): Json {
  if (typeof template === 'string') {
    const alone = /^\$\{(\w+(?::\w+)?)\}$/.exec(template)?.[1];
    return (alone === undefined ? undefined : valueNamed(values, alone)) ?? fillText(template, values);
  }
  if (Array.isArray(template)) return template.map((item: Json) => fillTemplate(item, values));
  if (typeof template !== 'object' || template === null || isExactNumber(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, item]) => [name, fillTemplate(item, values)]));
}

/**
 * Whether a template is a JSON object or list, possibly with placeholders as values. `[${fileName}]` counts as text in
 * brackets, not as a list.
 */
function isJsonText(template: string): boolean {
  if (!/^\s*[[{]/.test(template)) return false;
  // If a placeholder follows a backslash, replacing it with -1 yields an invalid escape, so the template counts as
  // text.
  return isJson(template) || (/"\s*:/.test(template) && isJson(template.replace(placeholder, '-1')));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function valueNamed(values: Values, name: string): Json | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
