import { type Json, leafText } from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import { readPlace } from '../places/readPlace';
import { steadyName, textParts } from '../places/textParts';
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
  /** What is at the same place in the responses that were kept; set for a part of a text. */
  readonly seen?: { readonly texts: readonly string[]; readonly responses: number };
}

/** Max parts of texts in a choice. */
const MAX_PARTS = 200;

/**
 * The values of a response that may be a field, likely ones first, and the parts of those that are URLs or paths. What
 * can only be named by its number in a list comes after what will be found wherever it is.
 */
export function valueChoices(
  field: ResponseField,
  { data, ownTask }: KeptData,
  kept: readonly KeptData[],
): ValueChoice[] {
  const choices: ValueChoice[] = [];
  let parts = 0;
  for (const leaf of responseLeaves(data, field, ownTask)) {
    choices.push(...byElement(leaf));
    const ofLeaf = partsOf(leaf, kept);
    parts += ofLeaf.length;
    if (parts <= MAX_PARTS) choices.push(...ofLeaf);
  }
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

function partsOf({ pointer, text, isLikely }: ResponseLeaf, kept: readonly KeptData[]): ValueChoice[] {
  const parts = textParts(text);
  const others = parts.length === 0 ? [] : textsAt(pointer, kept);
  return parts.map((part): ValueChoice => {
    const to = pointer + jsonPointer(steadyName(part, text, others));
    const seen = { texts: textsAt(to, kept), responses: kept.length };
    return { pointer: to, text: part.text, isLikely, seen };
  });
}

function textsAt(pointer: string, kept: readonly KeptData[]): string[] {
  return kept.flatMap(({ data, ownTask }) => leafText(readPlace(data, pointer, ownTask)?.value) ?? []);
}
