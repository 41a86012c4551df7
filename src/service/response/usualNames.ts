import { KNOWN_MEANINGS, type KnownMeaning, type StatusMeaning } from '../contract/contract';
import type { JsonObject } from '../json/json';

/** The fields that we look for in the `data` of a response. */
export type FieldName = 'taskId' | 'status' | 'progress' | 'message';

const ofTask = (name: string) => ['task', 'job', 'import'].map((owner) => owner + name);

/** Common field names as {@link plainName} returns them, likeliest first. There is a separate rule for a bare `id`. */
export const USUAL_NAMES: Readonly<Record<FieldName, readonly string[]>> = {
  taskId: [...ofTask('id'), ...ofTask('no')],
  status: [...ofTask('status'), ...ofTask('state'), 'status', 'state', 'stage', 'phase'],
  progress: ['progress', 'percent', 'percentage'],
  message: ['errormessage', 'errormsg', 'message', 'msg', 'error', 'reason'],
};

/** Common statuses, as {@link plainName} returns them. */
const USUAL_WORDS: Readonly<Record<KnownMeaning, string>> = {
  running:
    'pending queued queueing waiting created submitted received scheduled init initializing started ' +
    'starting running processing inprogress importing uploading parsing indexing working executing ' +
    'ongoing doing 排队中 等待中 待处理 处理中 进行中 运行中 导入中 解析中',
  succeeded: 'success succeed succeeded successful done complete completed finished 成功 已成功 导入成功 完成 已完成',
  failed: 'failed failure fail error errored cancelled canceled aborted rejected 失败 已失败 导入失败 已取消',
};

/** Returns the meaning that the contract gives to a status. If there is none, recognizes common words. */
export function statusMeaning(status: string, meanings: Readonly<Record<string, StatusMeaning>>): StatusMeaning {
  if (Object.hasOwn(meanings, status)) return meanings[status] ?? 'unknown';
  return KNOWN_MEANINGS.find((each) => USUAL_WORDS[each].split(' ').includes(plainName(status))) ?? 'unknown';
}

/** Returns a name or word in lower case, without spaces, `_` or `-`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Whether a member with this name is a task, or a list of tasks. */
export function isTaskName(name: string): boolean {
  return /task|job|import/i.test(name);
}

const MAX_MEMBERS = 100;
const MAX_NAME_LENGTH = 200;

/**
 * Returns the names of only the first members of an object, because a response may contain an object with 100,000
 * members.
 */
export function firstNames(object: JsonObject): string[] {
  return Object.keys(object)
    .slice(0, MAX_MEMBERS)
    .filter((name) => name.length <= MAX_NAME_LENGTH);
}
