import { isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { memberTree, treeOf } from '../json/jsonText';
import { firstNames, isPlainName, isTaskName } from './usualNames';
import {
  type BareIds,
  isAlike,
  isDistinct,
  type OwnTask,
  type Whose,
  whoseByIds,
  whoseElement,
  whoseResponse,
} from './whose';

/** A value in a response's `data`, where it is, and whose. */
export interface Spot {
  readonly value: Json;
  /** The value, or what it holds as text. */
  readonly tree: Json;
  /** The names and numbers that lead there. */
  readonly names: readonly string[];
  /** The nearest name, as an element of a list has none of its own. */
  readonly owner: string | undefined;
  readonly whose: Whose;
  /** Whether the value itself shows that, and not what it is in. */
  readonly hasOwner: boolean;
  /** What it is in; undefined for the whole of `data`. */
  readonly parent: Spot | undefined;
}

/** The whole of `data`. Nothing is another task's where there is no task yet. */
export function rootSpot(data: Json, ownTask: OwnTask | undefined): Spot {
  const tree = treeOf(data);
  const whose = ownTask !== undefined && isJsonObject(tree) ? whoseResponse(tree, ownTask) : undefined;
  return { value: data, tree, names: [], owner: undefined, whose, hasOwner: whose !== undefined, parent: undefined };
}

/** Max values of a response that are looked at: looking at all of a huge one would block the event loop. */
const MAX_VISITED = 10_000;

/** The numbers or names of what is in a spot; of a huge one the first ones. */
export function keysIn({ tree }: Spot): readonly string[] {
  if (Array.isArray(tree)) {
    // What was cut says so at its end.
    const length = tree.at(-1) === LEFT_OUT ? tree.length - 1 : tree.length;
    return Array.from({ length: Math.min(length, MAX_VISITED) }, (_, index) => `${index}`);
  }
  return isJsonObject(tree) ? firstNames(tree).filter((name) => name !== LEFT_OUT) : [];
}

/** What these names or numbers lead to. */
export function childSpots(parent: Spot, ownTask: OwnTask | undefined, keys = keysIn(parent)): Spot[] {
  const { tree } = parent;
  if (!Array.isArray(tree) && !isJsonObject(tree)) return [];
  const judge =
    ownTask === undefined
      ? () => undefined
      : isList(tree)
        ? readList(parent, ownTask).judge
        : inObject(parent, ownTask);
  const members = tree as JsonObject;
  const isThere = (key: string) =>
    (Array.isArray(tree) ? /^(?:0|[1-9]\d*)$/.test(key) : true) && Object.hasOwn(tree, key);
  return keys.filter(isThere).map((key): Spot => {
    const value = members[key] ?? null;
    const inner = memberTree(members, key);
    const whose = judge(key, inner);
    const owner = isList(tree) ? parent.owner : key;
    const names = [...parent.names, key];
    return { value, tree: inner, names, owner, whose: whose ?? parent.whose, hasOwner: whose !== undefined, parent };
  });
}

/** The keys of what is ours in a list or map: the member called our id, or the elements that carry it. */
export function ownKeys(parent: Spot, ownTask: OwnTask): readonly string[] {
  const { tree } = parent;
  if (isList(tree)) return readList(parent, ownTask).own;
  if (!isJsonObject(tree)) return [];
  if (Object.hasOwn(tree, ownTask.id)) return [ownTask.id];
  return elementsOf(parent)
    .filter(carries(ownTask))
    .map(({ key }) => key);
}

/** Cached, as several places are looked for in the same response. */
const known = new WeakMap<object, { readonly ownTask: OwnTask; readonly spots: readonly Spot[] }>();

/** A spot and the lists and objects inside it, the less deeply nested first, as far as they are looked at. */
export function spotsIn(root: Spot, ownTask: OwnTask): readonly Spot[] {
  const { value } = root;
  const cached = typeof value === 'object' && value !== null ? known.get(value) : undefined;
  if (cached !== undefined && cached.ownTask === ownTask) return cached.spots;
  const spots = walk(root, ownTask);
  if (typeof value === 'object' && value !== null) known.set(value, { ownTask, spots });
  return spots;
}

/** All in a response's `data` that carries our id, or is called by it, the less deeply nested first. */
export function ownSpots(root: Spot, ownTask: OwnTask): readonly Spot[] {
  return spotsIn(root, ownTask).filter(({ hasOwner, whose }) => hasOwner && whose === 'own');
}

function walk(root: Spot, ownTask: OwnTask): Spot[] {
  const spots = [root];
  // Grows while it is iterated, as `shift` would be slow.
  for (const spot of spots) {
    if (spots.length >= MAX_VISITED) break;
    const members = spot.tree as JsonObject;
    // Of a huge map the first members are looked at, and ours.
    const inside = keysIn(spot).filter((key) => isTree(memberTree(members, key)));
    spots.push(...childSpots(spot, ownTask, [...new Set([...inside, ownTask.id])]));
  }
  return spots;
}

function isTree(value: Json): boolean {
  return Array.isArray(value) || isJsonObject(value);
}

/** A list, or what is left of one that was cut when it was stored: an object with numbers as names. */
export function isList(tree: Json): boolean {
  if (Array.isArray(tree)) return true;
  if (!isJsonObject(tree) || !Object.hasOwn(tree, LEFT_OUT)) return false;
  return Object.keys(tree).every((name) => name === LEFT_OUT || /^\d+$/.test(name));
}

type Judge = (key: string, tree: Json) => Whose;

interface Element {
  readonly key: string;
  /** What it is, or holds as text. */
  readonly inner: Json;
}

function elementsOf(parent: Spot): Element[] {
  const members = parent.tree as JsonObject;
  return keysIn(parent).map((key) => ({ key, inner: memberTree(members, key) }));
}

function carries(ownTask: OwnTask) {
  return ({ inner }: Element) => isJsonObject(inner) && whoseElement(inner, ownTask, 'always') === 'own';
}

/** The keys of our elements of a list, by the usual names of ids or else by one of the service's own, and whose each is. */
interface ReadList {
  readonly own: readonly string[];
  readonly judge: Judge;
}

/** Cached, as each step into a list would read all of it. */
const lists = new WeakMap<object, ReadList & { readonly ownTask: OwnTask }>();

function readList(parent: Spot, ownTask: OwnTask): ReadList {
  const tree = parent.tree as object;
  const cached = lists.get(tree);
  if (cached?.ownTask === ownTask) return cached;
  const read = { ...readElements(parent, ownTask), ownTask };
  lists.set(tree, read);
  return read;
}

function readElements(parent: Spot, ownTask: OwnTask): ReadList {
  const { owner, whose } = parent;
  const elements = elementsOf(parent);
  const named = elements.filter(carries(ownTask));
  const isOther = ({ inner }: Element) => isJsonObject(inner) && whoseElement(inner, ownTask, 'alike') === 'other';
  const hasIds = named.length > 0 || elements.some(isOther);
  const column = hasIds
    ? undefined
    : idColumn(
        elements.map(({ inner }) => inner),
        ownTask,
      );
  const byColumn = (tree: Json) =>
    isJsonObject(tree) && leafText(tree[column ?? '']) === ownTask.id ? 'own' : 'other';
  const own = column === undefined ? named : elements.filter(({ inner }) => byColumn(inner) === 'own');
  const isOfTasks = (owner !== undefined && isTaskName(owner)) || (isDistinct(ownTask) && own.length > 0);
  // What the elements of a list call `id` is a task's id where one of them is ours.
  const bareIds: BareIds = isOfTasks ? 'always' : 'alike';
  const judge: Judge = (_key, tree) => {
    if (!isJsonObject(tree)) return undefined;
    if (column !== undefined) return byColumn(tree);
    return whose === 'own' ? whoseByIds(tree, ownTask, bareIds) : whoseElement(tree, ownTask, bareIds);
  };
  return { own: own.map(({ key }) => key), judge };
}

function inObject({ tree, whose: parents }: Spot, ownTask: OwnTask): Judge {
  const hasOwnElement = isJsonObject(tree) && Object.hasOwn(tree, ownTask.id);
  return (key, inner) => {
    if (key === ownTask.id) return 'own';
    const isObject = isJsonObject(inner);
    const whose = isObject ? whoseByIds(inner, ownTask, bareIdsOf(key, inner, ownTask, parents)) : undefined;
    if (whose !== undefined) return whose;
    return isAlike(key, ownTask.id) || (hasOwnElement && isObject) ? 'other' : undefined;
  };
}

/** What the user or the file of our task calls `id` is not a task's. A member that is called by its id is one of a map. */
function bareIdsOf(name: string, object: JsonObject, ownTask: OwnTask, parents: Whose): BareIds {
  if (isTaskName(name) || object['id'] === name) return 'always';
  return isPlainName(name) || (isDistinct(ownTask) && parents !== 'own') ? 'alike' : 'never';
}

/**
 * The name under which the elements of a list have their ids, whatever it is: all of them have a value under it, no two
 * the same one, and one of them is our id. Undefined where there is none, or where several names point at different ones.
 */
export function idColumn(elements: readonly Json[], ownTask: OwnTask): string | undefined {
  const objects = elements.filter(isJsonObject);
  if (objects.length < elements.length || !isDistinct(ownTask)) return undefined;
  const named = objects.flatMap((object, at) =>
    firstNames(object).flatMap((name) =>
      leafText(object[name]) === ownTask.id && !isReference(name) ? [{ name, at }] : [],
    ),
  );
  const isColumn = (name: string) => {
    const texts = objects.map((object) => (Object.hasOwn(object, name) ? (leafText(object[name]) ?? '') : ''));
    return !texts.includes('') && new Set(texts).size === texts.length;
  };
  const columnNames = new Set([...new Set(named.map(({ name }) => name))].filter(isColumn));
  const columns = named.filter(({ name }) => columnNames.has(name));
  return new Set(columns.map(({ at }) => at)).size === 1 ? columns[0]?.name : undefined;
}

/** Whether what has this name is the id of another element: that before it, or the one that it is a part of. */
function isReference(name: string): boolean {
  return /^(?:prev|next|parent|root|after|before|depend|replace|retry|origin|source)/i.test(name);
}
