import type { Contract } from '../../service/contract/contract';
import { isJsonObject, parseJson } from '../../service/json/json';
import { errorFields } from '../../service/json/jsonError';
import { taskIdText } from '../../service/json/taskId';
import { namesIn, notSent } from '../../service/request/namedParts';
import type { TaskList } from '../../tasks/store/taskList';
import type { KeptRefusal, TrackedTask } from '../../tasks/trackedTask';
import { formatRefusal, refusalWords } from '../platform/formatOutcome';

/** A request that the service rejected. */
export interface Rejection {
  readonly operation: 'fileTask' | 'queryTask';
  readonly by: KeptRefusal['by'];
  /** What the service said, as it is shown. */
  readonly text: string;
  /** The names that stand in what it said, but for what the request held. */
  readonly names: readonly string[];
}

/** Max names that are offered. */
const MAX_NAMES = 5;

/** Reads the rejection of a task's import or of the last query about it; undefined where neither was rejected. */
export async function readRejection(
  { history }: Pick<TaskList, 'history'>,
  { key, phase, lastQueryError, source, taskId }: TrackedTask,
): Promise<Rejection | undefined> {
  const { lastResponse } = await history.responses(key);
  const { name, relativePath, sha256 } = source ?? {};
  const values = [name, relativePath, sha256, taskId && taskIdText(taskId)].filter((value) => value !== undefined);
  if (phase.kind === 'rejected') return rejection('fileTask', phase.refusal, values, lastResponse);
  const isRejected = phase.kind === 'accepted' && lastQueryError?.kind === 'rejected';
  return isRejected ? rejection('queryTask', lastQueryError.refusal, values, lastResponse) : undefined;
}

/**
 * The rejection by a refusal. `values` are what the request held that a message may repeat; `response` is the whole
 * response as text, where there is one.
 */
export function rejection(
  operation: Rejection['operation'],
  refusal: KeptRefusal,
  values: readonly string[],
  response?: string,
): Rejection {
  const words = [refusalWords(refusal), ...fieldsIn(response).map((field) => `'${field}'`)];
  const names = namesIn(words.join(' '), values);
  return { operation, by: refusal.by, text: formatRefusal(refusal), names };
}

/** The names in a rejection that the request still does not have. */
export function namesToSend({ operation, names }: Rejection, contract: Contract): string[] {
  return notSent(names, contract, operation).slice(0, MAX_NAMES);
}

/** The fields that a response says something of beside its message. */
function fieldsIn(response: string | undefined): string[] {
  const envelope = response === undefined ? null : parseJson(response);
  return isJsonObject(envelope) ? errorFields(envelope) : [];
}
