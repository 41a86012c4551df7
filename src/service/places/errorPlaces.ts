import { isJsonObject, isNothing, type Json, type JsonObject, leafText } from '../json/json';
import { jsonPointer, parentPointer } from '../json/jsonPointer';
import { memberTree, treeOf } from '../json/jsonText';
import { rankedPlaces } from './fieldPlaces';
import { readPlace } from './readPlace';
import { withOwnElement } from './savedPlace';
import { firstNames, isNameOfError } from './usualNames';
import type { OwnTask } from './whose';

/** What is written where errors are, and says that there is none; any number of zeros is a code of none. */
const NO_ERROR = /^(?:0+(?:\.0+)?|ok|okay|none|null|nil|false|n\/?a|-+|success(?:ful)?|succeeded|成功|无)$/i;

/** Whether a value that is called as errors are says that there is one. */
export function saysError(value: Json | undefined): boolean {
  const tree = value === undefined ? null : treeOf(value);
  if (isNothing(tree)) return false;
  const text = leafText(tree);
  return text === undefined ? Object.values(tree as JsonObject).some(saysError) : !NO_ERROR.test(text.trim());
}

/**
 * The JSON Pointers into `data` to what is called as errors are and says that there is one: beside the values at `beside`,
 * and wherever fields of our task are recognized. None is another task's.
 */
export function errorPlaces(data: Json, ownTask: OwnTask | undefined, beside: readonly string[]): string[] {
  const { own, around } = rankedPlaces(data, ownTask);
  const levels = [...own, ...around].flat();
  const owners = beside.flatMap((pointer) => readPlace(data, parentPointer(pointer), ownTask) ?? []);
  const objects = [
    ...owners.flatMap(({ names, tree }) => (isJsonObject(tree) ? [{ names, object: tree }] : [])),
    ...levels,
  ];
  const found = objects.flatMap(({ names, object }) =>
    firstNames(object)
      .filter((name) => isNameOfError(name) && saysError(memberTree(object, name)))
      .map((name) => jsonPointer(...withOwnElement(data, [...names, name], ownTask))),
  );
  const places = [...new Set(found)];
  // What is inside an error says no more than the error itself.
  return places.filter((place) => !places.some((outer) => place.startsWith(`${outer}/`)));
}
