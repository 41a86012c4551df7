import type { JsonObject } from '../json/json';

/** The fields looked for in the `data` of a response. */
export type ResponseField = 'taskId' | 'status' | 'progress' | 'message';

/** Usual names, likely ones first, as {@link plainName} writes them. A bare `id` has a rule of its own. */
export const USUAL_NAMES: Readonly<Record<ResponseField, readonly string[]>> = {
  taskId: ['taskid', 'jobid', 'importid', 'taskno', 'jobno', 'importno'],
  status: ['status', 'taskstatus', 'importstatus', 'jobstatus', 'state', 'stage', 'phase'],
  progress: ['progress', 'percent', 'percentage'],
  message: ['message', 'msg', 'errormessage', 'errormsg', 'error', 'reason'],
};

/** A name or a word without case, spaces, `_` and `-`. */
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
