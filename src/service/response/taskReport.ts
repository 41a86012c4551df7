import type { Contract, StatusMeaning } from '../contract/contract';
import { type Json, leafText } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { type TaskId, taskIdOf } from '../json/taskId';
import type { OurTask } from '../places/whose';
import { readProgress } from './progress';
import { type FieldSource, findField, listsOnlyOthers, type ResponseField } from './recognition';
import { statusMeaning } from './statusMeaning';

/** What file-task's response tells of the task that it began. */
export interface BegunTask {
  /** Undefined where no id was recognized; the response has it all. */
  readonly taskId: TaskId | undefined;
  readonly from: FieldSource | undefined;
}

/** What query-task's response tells of a task. */
export interface TaskReport {
  /** The status as the service words it. */
  readonly status: string | undefined;
  readonly meaning: StatusMeaning;
  /** From 0 to 1. */
  readonly progress: number | undefined;
  readonly message: string | undefined;
  /** Set where no status was found, and the response lists several tasks of which none is known to be ours. */
  readonly elements?: 'severalNoneOurs';
  /** Where each of them was read. */
  readonly from: Partial<Readonly<Record<Exclude<ResponseField, 'taskId'>, FieldSource>>>;
}

/** Reads the `data` of file-task's response. */
export function readBegunTask(data: Json, { taskId: pointer }: Contract['fileTask']): BegunTask {
  const found = findField('taskId', data, pointer);
  const taskId = taskIdOf(found?.value);
  return { taskId, from: found && taskId && { pointer: found.pointer, how: found.how } };
}

/** Reads the `data` of query-task's response about our task. */
export function readTaskReport(data: Json, contract: Contract['queryTask'], ours?: OurTask): TaskReport {
  const status = findField('status', data, contract.status, ours);
  const message = findField('message', data, contract.message, ours);
  const progress = readProgress(data, contract.progress, ours);
  const words = textOf(status?.value);
  return {
    status: words,
    meaning: words === undefined ? 'unknown' : statusMeaning(words, contract.statusMeanings),
    progress: progress?.fraction,
    message: textOf(message?.value),
    ...(status === undefined && ours !== undefined && listsOnlyOthers(data, ours) && { elements: 'severalNoneOurs' }),
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
