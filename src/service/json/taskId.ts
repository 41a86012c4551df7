import { isExactNumber, type Json, leafText, parseJson, stringifyJson } from './json';

/**
 * The ID of an import task as the JSON literal that the service returned, so a number stays a number and a 19-digit one
 * keeps its digits. An access key in it is masked.
 */
export type TaskId = string & { readonly taskIdLiteral: unique symbol };

/** Max length of an ID; a longer text must be something else. */
const MAX_CHARACTERS = 2000;

/** The ID in a JSON value, which is a string that isn't blank, or a number; otherwise undefined. */
export function taskIdOf(value: Json | undefined): TaskId | undefined {
  const isId = (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' || isExactNumber(value);
  return isId && (leafText(value) ?? '').length <= MAX_CHARACTERS ? (stringifyJson(value) as TaskId) : undefined;
}

/** The ID as people read and copy it: a string without quotes, or the digits of a number. */
export function taskIdText(id: TaskId): string {
  return id.startsWith('"') ? String(parseJson(id)) : id;
}

/** The ID as an exact JSON number; undefined if its text isn't one. */
export function numericTaskId(id: TaskId): Json | undefined {
  const text = taskIdText(id);
  return text === id || couldBeNumber(text) ? parseJson(text) : undefined;
}

/** The ID that the user typed. `as` decides whether digits are a JSON number or a string. */
export function typedTaskId(text: string, as: 'string' | 'number'): TaskId {
  return (as === 'number' ? text.trim() : stringifyJson(text.trim())) as TaskId;
}

/** Whether a typed ID could be a JSON number: digits without a leading zero. */
export function couldBeNumber(text: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(text.trim());
}
