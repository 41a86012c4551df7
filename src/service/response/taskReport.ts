import type { Contract, StatusMeaning } from '../contract/contract';
import { stateByExpression } from '../contract/stateExpression';
import { isNothing, type Json, LEFT_OUT, leafText } from '../json/json';
import type { TaskId } from '../json/taskId';
import { type FieldSource, findField, progressFraction, type ResponseField, readData } from './fields';
import type { OwnTask } from './ownTask';
import { statusMeaning } from './statusMeaning';
import { idsAt, recognizedIds } from './taskIds';

/** What file-task's response reports of the task that it began. */
export interface BegunTask {
  /** Undefined where no id was recognized; the response has it all. */
  readonly taskId: TaskId | undefined;
  readonly from: FieldSource | undefined;
  /** Set where there are several, each of them a task of the file; the first one is `taskId`. */
  readonly ids?: readonly TaskId[];
  /** How many more ids there are than are kept; absent for none. */
  readonly leftOut?: number;
}

/** What query-task's response reports of a task. */
export interface TaskReport {
  /** The status as the service words it; undefined if none was found. */
  readonly status: string | undefined;
  /** `none` where the service has responded and reports nothing yet. */
  readonly meaning: StatusMeaning | 'none';
  /** From 0 to 1. */
  readonly progress: number | undefined;
  readonly message: string | undefined;
  /** Set where nothing gave the state, and the response lists several tasks of which none is known to be ours. */
  readonly elements?: 'severalNoneOwn';
  /** Where each of them was read. */
  readonly from: Partial<Readonly<Record<Exclude<ResponseField, 'taskId'>, FieldSource>>>;
  /** What the state expression yielded; absent if the status decided. */
  readonly byExpression?: string;
}

/** Max IDs that are kept of one response. */
const MAX_IDS = 100;

/** Reads the `data` of file-task's response. */
export function readBegunTask(data: Json, { taskId: pointer }: Contract['fileTask']): BegunTask {
  const found = pointer === undefined ? recognizedIds(data) : idsAt(data, pointer);
  const [taskId] = found?.ids ?? [];
  if (found === undefined || taskId === undefined) return { taskId: undefined, from: undefined };
  const from: FieldSource = { pointer: found.pointer, how: pointer === undefined ? 'recognized' : 'mapped' };
  if (found.ids.length === 1) return { taskId, from };
  const leftOut = Math.max(0, found.ids.length - MAX_IDS);
  return { taskId, from, ids: found.ids.slice(0, MAX_IDS), ...(leftOut > 0 && { leftOut }) };
}

/** Reads the `data` of query-task's response about our task. */
export function readTaskReport(data: Json, contract: Contract['queryTask'], ownTask?: OwnTask): TaskReport {
  if (isNothing(data)) return { status: undefined, meaning: 'none', progress: undefined, message: undefined, from: {} };
  const read = readData(data, ownTask);
  const state = contract.state === undefined ? undefined : stateByExpression(contract.state, data, ownTask?.id ?? '');
  const status = findField('status', read, contract.status);
  const message = findField('message', read, contract.message);
  const progress = findField('progress', read, contract.progress);
  const fraction = progress && progressFraction(progress.value);
  const words = textOf(status?.value);
  const meaning = words === undefined ? 'unknown' : statusMeaning(words, contract.statusMeanings);
  return {
    status: words,
    meaning: state?.meaning ?? meaning,
    progress: fraction,
    message: textOf(message?.value),
    ...(state === undefined && status === undefined && read.listsOnlyOthers && { elements: 'severalNoneOwn' }),
    from: {
      ...(status && { status: status.from }),
      ...(progress && fraction !== undefined && { progress: progress.from }),
      ...(message && { message: message.from }),
    },
    ...(state && { byExpression: 'yielded' in state ? state.yielded : state.meaning }),
  };
}

/** Max characters kept of a status or a message. */
const MAX_CHARACTERS = 2000;

function textOf(value: Json | undefined): string | undefined {
  const text = leafText(value);
  return text !== undefined && text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) + LEFT_OUT : text;
}
