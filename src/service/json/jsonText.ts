import { isJsonObject, type Json, parseJson } from './json';

/**
 * The value as a tree: of a text that holds a JSON object or list, that object or list, and any other value as it is. A
 * text within a text is at most half as long as it, so that they cannot be nested without end.
 */
export function treeOf(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const tree = parseJson(value);
    const isTree = Array.isArray(tree) || isJsonObject(tree);
    return isTree && Object.keys(tree).length > 0 ? tree : value;
  } catch {
    return value;
  }
}
