import { isJsonObject, type Json, type JsonObject, leafText, parseJson } from './json';

/** The usual names of what an error in JSON says, the likeliest first; `title` and `detail` are those of RFC 9457. */
const NAMES = {
  code: ['code', 'errorCode', 'error_code', 'errcode', 'error'],
  message: [
    'message',
    'error_description',
    'msg',
    'errorMessage',
    'errmsg',
    'detail',
    'title',
    'description',
    'reason',
  ],
  details: ['details', 'errors', 'detail', 'invalid-params', 'invalidParams'],
  field: ['field', 'loc', 'param', 'parameter', 'path', 'pointer', 'property', 'name'],
} as const;

/**
 * An error in JSON as its code, its message, and what it says of single fields, for example `quota_exceeded: No space is
 * left`. Undefined where the text is not JSON, or says no such thing.
 */
export function errorText(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text.replace(/^\uFEFF/, ''))) return undefined;
  try {
    return describe(parseJson(text));
  } catch {
    return undefined;
  }
}

function describe(json: Json): string | undefined {
  const error = isJsonObject(json) ? (json['error'] ?? json['fault']) : undefined;
  const whole = isJsonObject(error) ? error : json;
  if (!isJsonObject(whole)) return undefined;
  const message = textOf(whole, NAMES.message);
  const title = textOf(whole, ['title']);
  const code = textOf(whole, NAMES.code) ?? (title === message ? undefined : title);
  const fields = NAMES.details
    .flatMap((name) => errorsIn(whole[name]))
    .flatMap(({ field, text }) => (field === undefined || text === undefined ? (text ?? []) : `${field}: ${text}`));
  const said = [...(message === undefined ? [] : [message]), ...fields].join('; ');
  if (said === '') return leafText(whole['error']);
  return code === undefined || said === code ? said : `${code}: ${said}`;
}

/** What a list of errors says, or an object with errors by the names of fields. */
function errorsIn(
  details: Json | undefined,
): { readonly field?: string | undefined; readonly text: string | undefined }[] {
  if (Array.isArray(details)) {
    return details.map((each: Json) =>
      isJsonObject(each) ? { field: fieldOf(each), text: textOf(each, NAMES.message) } : { text: leafText(each) },
    );
  }
  if (!isJsonObject(details)) return [];
  return Object.entries(details).flatMap(([field, said]) =>
    (Array.isArray(said) ? said : [said]).map((one: Json) => ({ field, text: leafText(one) })),
  );
}

/** The field that an element of a list of errors is about. */
function fieldOf(error: JsonObject): string | undefined {
  return NAMES.field.map((name) => nameOf(error[name])).find((name) => name !== undefined);
}

/** The name of a field; of a path as a list, such as `["body", "lang"]`, the names joined by dots. */
function nameOf(value: Json | undefined): string | undefined {
  if (!Array.isArray(value)) return leafText(value);
  return value.map((part: Json) => leafText(part) ?? '').join('.') || undefined;
}

function textOf(from: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => leafText(from[name])).find((text) => text !== undefined && text !== '');
}
