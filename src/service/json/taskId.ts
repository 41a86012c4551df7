import { isExactNumber, type Json, leafText, parseJson, stringifyJson } from './json';

/**
 * The ID of an import task, as the JSON literal that the service returned: a number stays a number, and a 19-digit
 * number keeps its digits. Any access key in the ID is masked.
 */
export type TaskId = string & { readonly taskIdLiteral: unique symbol };

/** Max length of an ID. A longer value must be something else. */
const MAX_CHARACTERS = 2000;

/** Returns the value as an ID, or undefined if it is neither a number nor a nonblank string. */
export function taskIdOf(value: Json | undefined): TaskId | undefined {
  const isId = (typeof value === 'string' && value.trim() !== '') || typeof value === 'number' || isExactNumber(value);
  return isId && (leafText(value) ?? '').length <= MAX_CHARACTERS ? (stringifyJson(value) as TaskId) : undefined;
}

/** The ID as shown to users: a string without quotes, or the digits of a number. */
export function taskIdText(id: TaskId): string {
  return id.startsWith('"') ? String(parseJson(id)) : id;
}

/** Returns the ID as an exact JSON number, or undefined if its text isn't a number. */
export function numericTaskId(id: TaskId): Json | undefined {
  const text = taskIdText(id);
  return text === id || couldBeNumber(text) ? parseJson(text) : undefined;
}

/** Converts an ID that was typed by the user into a JSON string or number. */
export function typedTaskId(text: string, as: 'string' | 'number'): TaskId {
  return (as === 'number' ? text.trim() : stringifyJson(text.trim())) as TaskId;
}

/** Whether a typed ID could be a JSON number: digits without a leading zero. */
export function couldBeNumber(text: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(text.trim());
}
