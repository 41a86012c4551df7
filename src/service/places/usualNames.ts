import { type Json, type JsonObject, leafText } from '../json/json';

/** Usual names of a task's id, likely ones first, written as {@link plainName} gives them. */
export const TASK_ID_NAMES = [
  'taskid',
  'importtaskid',
  'filetaskid',
  'jobid',
  'importid',
  'taskno',
  'jobno',
  'importno',
  'taskcode',
  'id',
] as const;

/** Those that only a task's id has: a bare `id` may be that of anything. */
export const CERTAIN_ID_NAMES = TASK_ID_NAMES.filter((name) => name !== 'id');

/** Cached, as the elements of a long list have the same names. */
const plainNames = new Map<string, string>();
const MAX_PLAIN_NAMES = 1000;

/** A name without case, spaces, `_` and `-`. */
export function plainName(name: string): string {
  const known = plainNames.get(name);
  if (known !== undefined) return known;
  if (plainNames.size >= MAX_PLAIN_NAMES) plainNames.clear();
  const plain = name.toLowerCase().replace(/[\s_-]/g, '');
  plainNames.set(name, plain);
  return plain;
}

/** Whether what has this name is a task, or a list of tasks. */
export function isTaskName(name: string): boolean {
  return /task|job|import/i.test(name);
}

/** Whether a name says nothing of what has it. */
export function isPlainName(name: string): boolean {
  return /^(?:data|results?|item|record|row|contents?|value|entry|page|details?|payload|body|response|object|info)$/i.test(
    name,
  );
}

/** Max members of an object that are looked at, and max length of their names. */
const MAX_MEMBERS = 1000;
const MAX_NAME_LENGTH = 200;

/** Cached for huge objects, as each field is looked for in the same ones. */
const namesOf = new WeakMap<JsonObject, readonly string[]>();

/** The names that are looked at: looking at all of a huge response would block the event loop. */
export function firstNames(object: JsonObject): readonly string[] {
  const known = namesOf.get(object);
  if (known !== undefined) return known;
  const all = Object.keys(object);
  const names = all.slice(0, MAX_MEMBERS).filter((name) => name.length <= MAX_NAME_LENGTH);
  if (all.length > MAX_MEMBERS) namesOf.set(object, names);
  return names;
}

/** The first of these names, likely ones first, that an object has with a fitting value in it. */
export function findByName(
  usual: readonly string[],
  object: JsonObject,
  fits: (value: Json) => boolean = () => true,
): string | undefined {
  const leaves = firstNames(object).filter(
    (name) => (leafText(object[name]) ?? '') !== '' && fits(object[name] ?? null),
  );
  for (const wanted of usual) {
    const found = leaves.find((name) => plainName(name) === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a list is called as one of errors is. */
export function isNameOfErrors(name: string): boolean {
  return /^(?:errors?|failures?|exceptions?|faults?|problems?)(?:list|messages?|details?|s)?$/.test(plainName(name));
}

/** Names of what says that a task failed, and of what says why, written as {@link plainName} gives them. */
export const FAILURE_NAMES =
  /^(?:is|has|was)?(?:fail|failed|failure|errors?|errored|err|exception|aborted|cancell?ed|rejected)$/;
export const REASON_NAMES = /^(?:error|err|fail|failure)(?:msg|message|reason|code|info|detail)s?$/;

/** Whether a value is called as an error is, or as a list of them. */
export function isNameOfError(name: string): boolean {
  const plain = plainName(name);
  return FAILURE_NAMES.test(plain) || REASON_NAMES.test(plain) || isNameOfErrors(name);
}
