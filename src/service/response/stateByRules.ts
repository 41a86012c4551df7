import type { Condition, StateRule } from '../contract/stateRules';
import { isNothing, type Json, leafText } from '../json/json';
import { pointerNames } from '../json/jsonPointer';
import { saysError } from '../places/errorPlaces';
import { readOrMissing } from '../places/readPlace';
import { isNameOfError } from '../places/usualNames';
import type { OwnTask } from '../places/whose';

/** The state that rules tell, and by which of them. */
export interface StateByRules {
  /** Undefined where none of the rules held. */
  readonly held: StateRule | undefined;
  /** The JSON Pointers into `data` that the rules look at; names in them may be placeholders. */
  readonly at: readonly string[];
}

/**
 * Reads rules in their order, for our task. Nothing is so of what is another task's, not even that a value is absent.
 * Undefined where that, or an element that is not there, is all that the rules look at.
 */
export function stateByRules(
  rules: readonly StateRule[],
  data: Json,
  ownTask: OwnTask | undefined,
): StateByRules | undefined {
  const at = placesOf(rules);
  const places = new Map(at.map((pointer) => [pointer, readOrMissing(data, pointer, ownTask)]));
  if ([...places.values()].every((place) => place === 'notOurs')) return undefined;
  const held = rules.find(({ when }) =>
    Object.entries(when).every(([pointer, condition]) => {
      const place = places.get(pointer);
      return place !== 'notOurs' && isSo(condition, place?.value, pointer);
    }),
  );
  return { held, at };
}

/** The JSON Pointers that rules look at, as in {@link StateByRules}. */
export function placesOf(rules: readonly StateRule[]): string[] {
  return [...new Set(rules.flatMap(({ when }) => Object.keys(when)))];
}

/**
 * Whether a condition holds for the value at a place. What is called as errors are and says that there is none, such as
 * 0, false or "none", is absent.
 */
export function isSo(condition: Condition, value: Json | undefined, pointer = ''): boolean {
  if (condition === 'present' || condition === 'absent') {
    const isError = isNameOfError(pointerNames(pointer).at(-1) ?? '');
    const isThere = isError ? saysError(value) : !isNothing(value);
    return isThere === (condition === 'present');
  }
  if ('equals' in condition) return leafText(value) === condition.equals;
  const number = numberOf(value);
  if (number === undefined) return false;
  return 'atLeast' in condition ? number >= condition.atLeast : number <= condition.atMost;
}

/** The number in `10`, `"10"` or `"10%"`. */
function numberOf(value: Json | undefined): number | undefined {
  const [, digits] = /^\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*%?\s*$/.exec(leafText(value) ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
