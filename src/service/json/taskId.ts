import { isExactNumber } from './exactNumbers';
import { type Json, leafText, parseJson, stringifyJson } from './json';

/**
 * The id of an import task, kept as the JSON literal in which the service gave it, so that a number stays a number and
 * a 19-digit one stays the same digits.
 */
export type TaskId = string & { readonly taskIdLiteral: unique symbol };

/** Max length of an id; a longer text is something else. */
const MAX_CHARACTERS = 2000;

/** The id that a JSON value holds: a string with something in it, or a number. Undefined for all else. */
export function taskIdOf(value: Json | undefined): TaskId | undefined {
  const isId = (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' || isExactNumber(value);
  return isId && (leafText(value) ?? '').length <= MAX_CHARACTERS ? (stringifyJson(value) as TaskId) : undefined;
}

/** The id as a person reads and copies it: a string without its quotes, a number by its digits. */
export function taskIdText(id: TaskId): string {
  return id.startsWith('"') ? String(parseJson(id)) : id;
}

/** The id as the JSON value to be sent, in the very type in which the service gave it. */
export function taskIdValue(id: TaskId): Json {
  return parseJson(id);
}

/** The id as a JSON number, to the digit; undefined for a text that is none. */
export function numericTaskId(id: TaskId): Json | undefined {
  const text = taskIdText(id);
  return !id.startsWith('"') || couldBeNumber(text) ? parseJson(text) : undefined;
}

/** The id that a person typed. Digits can be meant as a JSON number or as a string: `as` says which. */
export function typedTaskId(text: string, as: 'string' | 'number'): TaskId {
  return (as === 'number' ? text.trim() : stringifyJson(text.trim())) as TaskId;
}

/** Tells whether a typed id could be a JSON number: digits, no leading zero. */
export function couldBeNumber(text: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(text.trim());
}
