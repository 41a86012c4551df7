import { type Json, type JsonObject, leafText } from '../json/json';

/** The fields looked for in the `data` of a response. */
export type ResponseField = 'taskId' | 'status' | 'progress' | 'message';

/** Usual names, likely ones first, as {@link plainName} writes them. A bare `id` has a rule of its own. */
export const USUAL_NAMES: Readonly<Record<ResponseField, readonly string[]>> = {
  taskId: [
    ...['taskid', 'importtaskid', 'filetaskid', 'jobid', 'importid'],
    ...['taskno', 'jobno', 'importno', 'taskcode'],
  ],
  status: ['status', 'taskstatus', 'importstatus', 'jobstatus', 'state', 'taskstate', 'stage', 'phase'],
  progress: ['progress', 'percent', 'percentage', 'progresspercent', 'taskprogress', 'rate'],
  message: ['message', 'msg', 'errormessage', 'errormsg', 'error', 'reason', 'detail', 'remark'],
};

/** A name without case, spaces, `_` and `-`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Whether a member with this name is a task, or a list of tasks. */
export function isTaskName(name: string): boolean {
  return /task|job|import/i.test(name);
}

const MAX_MEMBERS = 100;
const MAX_NAME_LENGTH = 200;

/** The names that are looked at: an object may have 100,000 of them. */
export function firstNames(object: JsonObject): string[] {
  return Object.keys(object)
    .slice(0, MAX_MEMBERS)
    .filter((name) => name.length <= MAX_NAME_LENGTH);
}

/** The first of these usual names that an object has with a fitting value. */
export function findByName(
  usual: readonly string[],
  object: JsonObject,
  names: readonly string[],
  fits: (value: Json) => boolean = () => true,
): string | undefined {
  for (const wanted of usual) {
    const found = names.find(
      (name) => plainName(name) === wanted && (leafText(object[name]) ?? '') !== '' && fits(object[name] ?? null),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether an object has a bare `id` and nothing else that could be the ID instead, such as `fileId` or `uuid`. */
export function hasLoneId(object: JsonObject, names: readonly string[]): boolean {
  const ids = names.filter((name) => /id$/i.test(name) && isIdValue(object[name]));
  return ids.length === 1 && ids[0]?.toLowerCase() === 'id';
}

function isIdValue(value: Json | undefined): boolean {
  return typeof value !== 'boolean' && (leafText(value) ?? '') !== '';
}
