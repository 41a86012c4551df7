import type { Contract, StatusMeaning } from '../contract/contract';
import { type Json, leafText } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { type TaskId, taskIdOf } from '../json/taskId';
import { readProgress } from './progress';
import { type Fact, type FactSource, findFact } from './recognition';
import { statusMeaning } from './statusMeaning';

/** What file-task's answer tells of the task that it began (INTERFACE.md 4.3: not shown, so recognised or mapped). */
export interface BegunTask {
  /** Undefined where no id was recognised; the answer has it all. */
  readonly taskId: TaskId | undefined;
  readonly from: FactSource | undefined;
}

/** What query-task's answer tells of a task (INTERFACE.md 4.2: not shown, so recognised or mapped). */
export interface TaskReport {
  /** The status as the service words it. */
  readonly status: string | undefined;
  readonly meaning: StatusMeaning;
  /** From 0 to 1. */
  readonly progress: number | undefined;
  readonly message: string | undefined;
  /** Where each of them was read. */
  readonly from: Partial<Readonly<Record<Exclude<Fact, 'taskId'>, FactSource>>>;
}

/** Reads the `data` of file-task's answer (INTERFACE.md 4.3: its fields are not shown). */
export function readBegunTask(data: Json, { taskId: pointer }: Contract['fileTask']): BegunTask {
  const found = findFact('taskId', data, pointer);
  const taskId = taskIdOf(found?.value);
  return { taskId, from: found && taskId && { pointer: found.pointer, how: found.how } };
}

/** Reads the `data` of query-task's answer (INTERFACE.md 4.2: its fields are not shown). */
export function readTaskReport(data: Json, contract: Contract['queryTask']): TaskReport {
  const status = findFact('status', data, contract.status);
  const message = findFact('message', data, contract.message);
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

/** More of a status or a message is for nobody to read, and would be held of every task. */
const MAX_CHARACTERS = 2000;

function textOf(value: Json | undefined): string | undefined {
  const text = leafText(value);
  return text !== undefined && text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) + LEFT_OUT : text;
}
