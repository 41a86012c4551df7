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

/**
 * The names of the fields that lists and maps of errors are about, at whatever depth: `lang` of
 * `{"errors":[{"field":"lang"}]}` and of `{"errors":{"lang":["required"]}}`.
 */
export function errorFields(json: Json): string[] {
  if (Array.isArray(json)) {
    const elements: readonly Json[] = json;
    return elements.flatMap((each) => [
      ...(isJsonObject(each) ? [fieldOf(each) ?? []].flat() : []),
      ...errorFields(each),
    ]);
  }
  if (!isJsonObject(json)) return [];
  return Object.entries(json).flatMap(([name, member]) => {
    const isMap = NAMES.details.some((each) => each === name) && isJsonObject(member);
    return [...(isMap ? Object.keys(member) : []), ...errorFields(member)];
  });
}

function describe(json: Json): string | undefined {
  const error = isJsonObject(json) ? (json['error'] ?? json['fault']) : undefined;
  const whole = isJsonObject(error) ? error : json;
  if (!isJsonObject(whole)) return undefined;
  const message = textOf(whole, NAMES.message);
  const title = textOf(whole, ['title']);
  const code = textOf(whole, NAMES.code) ?? (title === message ? undefined : title);
  const fields = NAMES.details.flatMap((name) => describeFields(whole[name]));
  const said = [...(message === undefined ? [] : [message]), ...fields].join('; ');
  if (said === '') return leafText(whole['error']);
  return code === undefined || said === code ? said : `${code}: ${said}`;
}

/** What is said of single fields, as a list of objects or an object by their names. */
function describeFields(details: Json | undefined): string[] {
  if (Array.isArray(details)) return details.flatMap((detail: Json) => describeField(detail));
  if (!isJsonObject(details)) return [];
  return Object.entries(details).flatMap(([name, said]) =>
    (Array.isArray(said) ? said : [said]).flatMap((one: Json) => {
      const text = leafText(one);
      return text === undefined ? [] : [`${name}: ${text}`];
    }),
  );
}

function describeField(detail: Json): string[] {
  if (!isJsonObject(detail)) return [leafText(detail) ?? []].flat();
  const message = textOf(detail, NAMES.message);
  const field = fieldOf(detail);
  if (message === undefined) return [];
  return [field === undefined ? message : `${field}: ${message}`];
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
