import { ACCESS_KEY_HEADER, type Contract, KIND_HEADERS } from '../contract/contract';
import { isJsonObject, type Json } from '../json/json';

/** Max characters of a message that are looked at. */
const MAX_CHARACTERS = 2000;

const part = (letter: string) => String.raw`[${letter}_$][${letter}\d_$-]*(?:\[\w*\])*`;
const name = (letter: string) => String.raw`${part(letter)}(?:\.${part(letter)})*`;
const inQuotes = String.raw`["'\x60“‘„«‹「『【](${name(String.raw`\p{L}`)})["'\x60”’“»›」』】]`;
// No part of an address or a path.
const latinWord = String.raw`(?<![\w$./@-])(${name('A-Za-z')})(?![\w$/@-])`;
const WORD = new RegExp(`${inQuotes}|${latinWord}`, 'gu');

/** Matches words that are written as names are: `taskIds`, `dataset_code`, `docs[]`, `meta.lang`, `$.lang`, `X-Tenant`. */
const WRITTEN_AS_NAME = /^[xX]-|^\$\.|^[a-z_$].*(?:[a-z\d][A-Z]|[^_]_[^_]|\w{2}\.|\[)/;

/**
 * The names that stand in the words of a service, each once: what is in quotes, or written as names are. `values` are
 * what the request held that a message may repeat, and are not looked at.
 */
export function namesIn(message: string, values: readonly string[]): string[] {
  const repeated = values.toSorted((one, other) => other.length - one.length).filter(({ length }) => length > 1);
  const text = repeated.reduce((rest, value) => rest.replaceAll(value, ' '), message.slice(0, MAX_CHARACTERS));
  const names = [...text.matchAll(WORD)].flatMap(([, quoted, word = '']) => {
    const found = quoted ?? (WRITTEN_AS_NAME.test(word) ? word : undefined);
    // Many services put the name of the whole body before those of its members.
    return found === undefined ? [] : [found.replace(/^(?:\$|body)\./, '')];
  });
  return [...new Set(names)];
}

/** Those of the names that the requests of an operation do not have by a contract, as a name or as a value. */
export function notSent(
  names: readonly string[],
  { headers, fileTask, queryTask }: Contract,
  operation: 'fileTask' | 'queryTask',
): string[] {
  const isImport = operation === 'fileTask';
  const ownHeaders = [...Object.keys(headers), ...Object.keys(KIND_HEADERS), ACCESS_KEY_HEADER, 'Content-Type'];
  // The case of a header's name does not matter.
  const inHeaders = new Set(ownHeaders.map((header) => header.toLowerCase()));
  const { filePart, fields } = fileTask;
  const own = isImport ? [filePart, ...Object.entries(fields).flat()] : membersOf(queryTask.body);
  const sent = new Set([...own, ...Object.values(headers)]);
  const asSent = (each: string) => (isImport ? each : withoutBrackets(each));
  return names.filter((each) => !sent.has(asSent(each)) && !inHeaders.has(each.toLowerCase()));
}

/** The name of a list, without the brackets that mark it as one or name an element. */
export function withoutBrackets(name: string): string {
  return name.replaceAll(/\[\w*\]/g, '');
}

/** The names of all members, and the paths to them: `q`, `ref` and `q.ref` of `{"q":[{"ref":1}]}`. */
function membersOf(json: Json, above: readonly string[] = []): string[] {
  if (Array.isArray(json)) return json.flatMap((item: Json) => membersOf(item, above));
  if (!isJsonObject(json)) return [];
  return Object.entries(json).flatMap(([member, value]) => {
    const path = [...above, member];
    return [member, path.join('.'), ...membersOf(value, path)];
  });
}
