import type { Json } from '../json/json';
import type { OwnTask } from '../places/whose';
import type { ResponseField } from '../response/recognition';
import { type ResponseLeaf, responseLeaves } from '../response/responseLeaves';

/** A response's `data`, and the task that it is read for; undefined for file-task's. */
export interface KeptData {
  readonly data: Json;
  readonly ownTask: OwnTask | undefined;
}

/** A value that the user may choose as a field. */
export interface ValueChoice {
  /** A JSON Pointer into `data`, which may have placeholders as names. */
  readonly pointer: string;
  readonly text: string;
  readonly isLikely: boolean;
  /** Set for a value in a list of several elements, none of them known to be ours: which element it is the value of. */
  readonly element?: { readonly is: 'last' | 'newest' | 'this'; readonly number: number; readonly count: number };
}

/**
 * The values of a response that may be a field, likely ones first. What can only be named by its number in a list comes
 * after what will be found wherever it is.
 */
export function valueChoices(field: ResponseField, { data, ownTask }: KeptData): ValueChoice[] {
  const choices = responseLeaves(data, field, ownTask).flatMap(byElement);
  const isByNumber = ({ element }: ValueChoice) => element?.is === 'this';
  return [...choices.filter((choice) => !isByNumber(choice)), ...choices.filter(isByNumber)];
}

/** A value as that of the last element, of the newest one, and of the one at its place, as far as it is in them. */
function byElement({ pointer, text, isLikely, element }: ResponseLeaf): ValueChoice[] {
  if (element === undefined) return [{ pointer, text, isLikely }];
  const { number, count, last, newest } = element;
  const pointers = { last, newest, this: pointer };
  return (['last', 'newest', 'this'] as const).flatMap((is) => {
    const to = pointers[is];
    return to === undefined ? [] : [{ pointer: to, text, isLikely, element: { is, number, count } }];
  });
}
