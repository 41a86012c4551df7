import type { Contract } from '../../service/contract/contract';
import { taskIdText } from '../../service/json/taskId';
import { namesIn, notSent } from '../../service/request/namedParts';
import { type Destination, isSameDestination } from '../../tasks/destination';
import { readTasks } from '../../tasks/history/walk';
import type { TaskList } from '../../tasks/store/taskList';
import type { KeptRefusal, TrackedTask } from '../../tasks/trackedTask';
import { formatRefusal, refusalWords } from '../wording/failures';

/** A request that the service rejected. */
export interface Rejection {
  readonly operation: 'fileTask' | 'queryTask';
  readonly by: KeptRefusal['by'];
  /** What the service said, as it is shown. */
  readonly text: string;
  /** The names in what it said, without what the request held. */
  readonly names: readonly string[];
}

/** Max names that are offered. */
const MAX_NAMES = 5;

/** Reads the rejection of a task's import or of the last query about it; undefined if neither was rejected. */
export function readRejection({ phase, lastQueryError, source, taskId }: TrackedTask): Rejection | undefined {
  const { name, relativePath, sha256 } = source ?? {};
  const values = [name, relativePath, sha256, taskId && taskIdText(taskId)].filter((value) => value !== undefined);
  if (phase.kind === 'rejected') return rejection('fileTask', phase.refusal, values);
  const isRejected = phase.kind === 'accepted' && lastQueryError?.kind === 'rejected';
  return isRejected ? rejection('queryTask', lastQueryError.refusal, values) : undefined;
}

/** The rejection by a refusal. `values` are what the request held and a message may repeat. */
export function rejection(
  operation: Rejection['operation'],
  refusal: KeptRefusal,
  values: readonly string[],
): Rejection {
  const names = namesIn(refusalWords(refusal), values);
  return { operation, by: refusal.by, text: formatRefusal(refusal), names };
}

/** The names in a rejection that the request still does not have. */
export function namesToSend({ operation, names }: Rejection, contract: Contract): string[] {
  return notSent(names, contract, operation).slice(0, MAX_NAMES);
}

/** The rejected imports of a destination; with `refusal`, those with the same code or HTTP status. */
export async function rejectedAlike(
  { history }: Pick<TaskList, 'history'>,
  destination: Destination,
  refusal?: KeptRefusal,
): Promise<readonly TrackedTask[]> {
  const tasks = await readTasks(history, await history.keysInState('rejected'));
  const isAlike = ({ phase }: TrackedTask) =>
    phase.kind === 'rejected' && (refusal === undefined || codeOf(phase.refusal) === codeOf(refusal));
  return tasks.filter((task) => isSameDestination(task, destination) && isAlike(task));
}

function codeOf(refusal: KeptRefusal): string | number {
  return refusal.by === 'envelope' ? refusal.code : refusal.status;
}
