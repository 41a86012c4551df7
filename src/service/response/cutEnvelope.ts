import { isJsonObject, type Json, type JsonObject, leafText, stringifyJson } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { treeOf } from '../json/jsonText';

/** How much of a response stays. */
interface Limits {
  /** Of each list and object. */
  readonly members: number;
  /** Of each text. */
  readonly characters: number;
  readonly depth: number;
}

/** From much to next to nothing: the first that makes a response short enough is taken. */
const STEPS: readonly Limits[] = [
  { members: 500, characters: 4000, depth: 50 },
  { members: 100, characters: 1000, depth: 20 },
  { members: 20, characters: 200, depth: 10 },
  { members: 5, characters: 100, depth: 5 },
  { members: 0, characters: 100, depth: 0 },
];

/** Max characters of a value that was read as an id, a status or a message. */
const MAX_READ_CHARACTERS = 2000;

/** Max length of a name; a member with a longer one is left out. */
const MAX_NAME_CHARACTERS = 200;

/** The names that lead to a value; one may lead into a text that holds JSON. */
type Path = readonly string[];

const envelopeParts: readonly Path[] = [['code'], ['message'], ['data']];

/**
 * An envelope as JSON text of at most so many bytes: long texts, lists and objects are cut, and say so. What is at the
 * `places` in its `data` stays there. `bytes` is how long it is.
 */
export function cutEnvelope(envelope: JsonObject, places: readonly Path[], bytes: number, maxBytes: number): string {
  const told = `Parts of this response are left out: it has ${bytes} bytes.`;
  const paths = [...envelopeParts, ...places.map((names) => ['data', ...names])];
  for (const limits of STEPS) {
    const cut = cutPart(envelope, limits, paths, 0) as JsonObject;
    const text = stringifyJson({ ...cut, [LEFT_OUT]: told });
    if (Buffer.byteLength(text) <= maxBytes) return text;
  }
  return stringifyJson({ code: leafText(envelope['code'])?.slice(0, 100) ?? null, [LEFT_OUT]: told });
}

/** Whether an envelope that was kept lacks parts of the one that came. */
export function isCut(envelope: JsonObject): boolean {
  return Object.hasOwn(envelope, LEFT_OUT);
}

/** `paths` lead to what must stay. A long text that they lead into becomes the tree that it holds. */
function cutPart(given: Json, limits: Limits, paths: readonly Path[], depth: number): Json {
  const isTree =
    typeof given === 'string' && given.length > MAX_READ_CHARACTERS && paths.some(({ length }) => length > 0);
  const value = isTree ? treeOf(given) : given;
  if (!Array.isArray(value) && !isJsonObject(value)) {
    return cutLeaf(value, paths.length > 0 ? MAX_READ_CHARACTERS : limits.characters);
  }
  // A list's members go by their numbers, so that both are cut in the same way.
  const members = value as JsonObject;
  const first = firstNames(value, depth < limits.depth ? limits.members : 0);
  const onPath = paths.flatMap(([name]) => (name !== undefined && Object.hasOwn(members, name) ? [name] : []));
  const kept = [...new Set([...first, ...onPath])].map((name): [string, Json] => {
    const inner = paths.filter(([first]) => first === name).map((path) => path.slice(1));
    return [name, cutPart(members[name] ?? null, limits, inner, depth + 1)];
  });
  const count = Array.isArray(value) ? value.length : Object.keys(value).length;
  const rest = kept.length < count ? [LEFT_OUT] : [];
  const isFromFirst = kept.every(([name], index) => name === String(index));
  // A list of which a later item stays becomes an object with numbers as names, so that pointers still lead to it.
  if (Array.isArray(value) && isFromFirst) return [...kept.map(([, item]) => item), ...rest];
  return Object.fromEntries([...kept, ...rest.map((mark): [string, Json] => [mark, mark])]);
}

function firstNames(value: readonly Json[] | JsonObject, count: number): string[] {
  if (Array.isArray(value)) return Array.from(value.slice(0, count), (_item, index) => String(index));
  const names = Object.keys(value).slice(0, count);
  return names.filter((name) => name.length <= MAX_NAME_CHARACTERS);
}

function cutLeaf(value: Json, characters: number): Json {
  const text = leafText(value) ?? '';
  return text.length > characters ? text.slice(0, characters) + LEFT_OUT : value;
}
