import { isJsonObject, type Json, type JsonObject, parseJson } from './json';

const mayBeTree = /^\s*[[{]/;

/**
 * The value as a tree: of a text that holds a JSON object or list, that object or list, and any other value as it is. A
 * text within a text is at most half as long as it, so that they cannot be nested without end.
 */
export function treeOf(value: Json): Json {
  if (typeof value !== 'string' || !mayBeTree.test(value)) return value;
  try {
    const tree = parseJson(value);
    const isTree = Array.isArray(tree) || isJsonObject(tree);
    return isTree && Object.keys(tree).length > 0 ? tree : value;
  } catch {
    return value;
  }
}

/** Cached, as each step into a text would read all of it. */
const treesIn = new WeakMap<object, Map<string, Json>>();

/** As {@link treeOf}, of a member of an object, or of an element of a list by its number. */
export function memberTree(owner: JsonObject, name: string): Json {
  const value = owner[name] ?? null;
  if (typeof value !== 'string' || !mayBeTree.test(value)) return value;
  const trees = treesIn.get(owner) ?? new Map<string, Json>();
  const known = trees.get(name);
  if (known !== undefined) return known;
  const tree = treeOf(value);
  treesIn.set(owner, trees.set(name, tree));
  return tree;
}
