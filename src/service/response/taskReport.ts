import type { Contract, StatusMeaning } from '../contract/contract';
import { type Json, leafText } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { hasEach } from '../json/jsonPointer';
import { type TaskId, taskIdOf } from '../json/taskId';
import { readProgress } from './progress';
import { type FieldSource, findField, type ResponseField } from './recognition';
import { type IdsAt, idsAt, MAX_IDS, recognizedIds } from './severalIds';
import { statusMeaning } from './statusMeaning';

/** What file-task's response tells of the task that it began. */
export interface BegunTask {
  /** Undefined where no id was recognized; the response has it all. */
  readonly taskId: TaskId | undefined;
  readonly from: FieldSource | undefined;
  /** Set where there are several, each of them a task of the file; the first one is `taskId`. */
  readonly ids?: readonly TaskId[];
  /** How many more ids there are than are kept; absent for none. */
  readonly leftOut?: number;
}

/** What query-task's response tells of a task. */
export interface TaskReport {
  /** The status as the service words it. */
  readonly status: string | undefined;
  readonly meaning: StatusMeaning;
  /** From 0 to 1. */
  readonly progress: number | undefined;
  readonly message: string | undefined;
  /** Where each of them was read. */
  readonly from: Partial<Readonly<Record<Exclude<ResponseField, 'taskId'>, FieldSource>>>;
}

/** Reads the `data` of file-task's response. */
export function readBegunTask(data: Json, { taskId: pointer }: Contract['fileTask']): BegunTask {
  if (pointer !== undefined && hasEach(pointer)) return begunTask(idsAt(data, pointer), 'mapped');
  const found = findField('taskId', data, pointer);
  if (pointer === undefined) return begunTask(recognizedIds(data, found), 'recognized');
  const id = taskIdOf(found?.value);
  return begunTask(id && { pointer, ids: [id] }, 'mapped');
}

function begunTask(found: IdsAt | undefined, how: FieldSource['how']): BegunTask {
  const [taskId] = found?.ids ?? [];
  if (found === undefined || taskId === undefined) return { taskId: undefined, from: undefined };
  const from = { pointer: found.pointer, how };
  if (found.ids.length === 1) return { taskId, from };
  const leftOut = Math.max(0, found.ids.length - MAX_IDS);
  return { taskId, from, ids: found.ids.slice(0, MAX_IDS), ...(leftOut > 0 && { leftOut }) };
}

/** Without the ids that are none. */
export function withoutIds(begun: BegunTask, isNone: (id: TaskId) => boolean): BegunTask {
  const { taskId, from, ids = [], leftOut } = begun;
  if (taskId === undefined || ![taskId, ...ids].some(isNone)) return begun;
  const [first, ...others] = ids.filter((id) => !isNone(id));
  if (first === undefined) return { taskId: undefined, from: undefined };
  const several = others.length === 0 ? {} : { ids: [first, ...others], ...(leftOut !== undefined && { leftOut }) };
  return { taskId: first, from, ...several };
}

/** Reads the `data` of query's response. */
export function readTaskReport(data: Json, contract: Contract['queryTask']): TaskReport {
  const status = findField('status', data, contract.status);
  const message = findField('message', data, contract.message);
  const progress = readProgress(data, contract.progress);
  const words = textOf(status?.value);
  return {
    status: words,
    meaning: words === undefined ? 'unknown' : statusMeaning(words, contract.statusMeanings),
    progress: progress?.fraction,
    message: textOf(message?.value),
    from: {
      ...(status && { status: { pointer: status.pointer, how: status.how } }),
      ...(progress && { progress: progress.from }),
      ...(message && { message: { pointer: message.pointer, how: message.how } }),
    },
  };
}

/** Max characters kept of a status or a message. */
const MAX_CHARACTERS = 2000;

function textOf(value: Json | undefined): string | undefined {
  const text = leafText(value);
  return text !== undefined && text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) + LEFT_OUT : text;
}
