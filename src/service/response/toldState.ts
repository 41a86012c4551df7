import type { Condition, StateRule } from '../contract/stateRules';
import { isNothing, type Json, leafText } from '../json/json';

/** The state that rules tell, and by which of them. */
export interface ToldState {
  /** Undefined where none of the rules held. */
  readonly held: StateRule | undefined;
  /** The JSON Pointers into `data` that the rules look at. */
  readonly at: readonly string[];
}

/** Reads rules in their order. `valueAtPlace` gives what is at a pointer; undefined where there is nothing. */
export function toldState(rules: readonly StateRule[], valueAtPlace: (pointer: string) => Json | undefined): ToldState {
  const held = rules.find(({ when }) =>
    Object.entries(when).every(([pointer, condition]) => isSo(condition, valueAtPlace(pointer))),
  );
  return { held, at: placesOf(rules) };
}

/** The JSON Pointers that rules look at. */
export function placesOf(rules: readonly StateRule[]): string[] {
  return [...new Set(rules.flatMap(({ when }) => Object.keys(when)))];
}

/** Whether a condition holds for a value. */
export function isSo(condition: Condition, value: Json | undefined): boolean {
  if (condition === 'present') return !isNothing(value);
  if (condition === 'absent') return isNothing(value);
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
