import { ACCESS_KEY_HEADER, type Contract, KIND_HEADERS } from '../contract/contract';
import { isJsonObject, type Json } from '../json/json';

/** Max number of characters to search in a message. */
const MAX_CHARACTERS = 2000;

/** A name such as `taskIds`, `docs[]` or `X-Tenant`, in quotes or backticks, or alone before "is required". */
const NAMED =
  /(?:["'`“‘„«‹「『【]|(?:^|[:;,.(]\s*)(?=[^ ]+ is required))([\p{L}_$][\p{L}\d_$.[\]-]*)(?:["'`”’“»›」』】]| is required)/gu;

/**
 * Returns the distinct field names that a service's message mentions. Skips `values` from the request, which the
 * message may quote.
 */
export function namesIn(message: string, values: readonly string[]): string[] {
  const found = message.slice(0, MAX_CHARACTERS).matchAll(NAMED);
  const names = new Set([...found].map(([, name = '']) => name));
  return [...names].filter((name) => !values.includes(name));
}

/** Returns the names that don't appear in an operation's requests, either as names or as values. */
export function missingNames(
  names: readonly string[],
  { headers, fileTask, queryTask }: Contract,
  operation: 'fileTask' | 'queryTask',
): string[] {
  const isImport = operation === 'fileTask';
  const ownHeaders = [...Object.keys(headers), ...Object.keys(KIND_HEADERS), ACCESS_KEY_HEADER, 'Content-Type'];
  // Header names are case-insensitive.
  const inHeaders = new Set(ownHeaders.map((header) => header.toLowerCase()));
  const own = isImport ? [fileTask.filePart, ...Object.entries(fileTask.fields).flat()] : membersOf(queryTask.body);
  const sent = new Set([...own, ...Object.values(headers)]);
  const asSent = (each: string) => (isImport ? each : withoutBrackets(each));
  return names.filter((each) => !sent.has(asSent(each)) && !inHeaders.has(each.toLowerCase()));
}

/** Returns a name without brackets, such as `docs` for `docs[]` or `docs[0]`. */
export function withoutBrackets(name: string): string {
  return name.replaceAll(/\[\w*\]/g, '');
}

/** Returns the names of all members and the paths to them, such as `q`, `ref` and `q.ref` for `{"q":[{"ref":1}]}`. */
function membersOf(json: Json, above: readonly string[] = []): string[] {
  if (Array.isArray(json)) return json.flatMap((item: Json) => membersOf(item, above));
  if (!isJsonObject(json)) return [];
  return Object.entries(json).flatMap(([member, value]) => {
    const path = [...above, member];
    return [member, path.join('.'), ...membersOf(value, path)];
  });
}
