import type { Contract } from '../../service/contract/contract';
import { isJsonObject, isNothing, parseJson, stringifyJson } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import { type MissingPart, missingPartNamed, requestContent } from '../../service/request/missingPart';
import type { TaskList } from '../../tasks/store/taskList';
import type { KeptRefusal, TrackedTask } from '../../tasks/trackedTask';

/** A request that the service rejected. */
export interface Rejection {
  readonly operation: 'fileTask' | 'queryTask';
  readonly by: KeptRefusal['by'];
  /** What the service said: its message, then the details of its response. */
  readonly words: readonly string[];
  /** What the request held that a message may repeat. */
  readonly values: readonly string[];
}

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

/** The rejection by a refusal; `response` is the whole response as text, where there is one. */
export function rejection(
  operation: Rejection['operation'],
  refusal: KeptRefusal,
  values: readonly string[],
  response?: string,
): Rejection {
  const { by } = refusal;
  switch (by) {
    case 'envelope':
      return { operation, by, words: [refusal.message, detailsIn(response)].filter((words) => words !== null), values };
    case 'status':
      return { operation, by, words: [refusal.excerpt], values };
    case 'redirect':
      return { operation, by, words: [], values };
  }
}

/** What a response says beside its code and its message, whose names and null `data` are no parts of a request. */
function detailsIn(response: string | undefined): string | null {
  const envelope = response === undefined ? null : parseJson(response);
  if (!isJsonObject(envelope)) return null;
  const details = Object.entries(envelope).filter(
    ([name, value]) => name !== 'code' && name !== 'message' && !isNothing(value),
  );
  return details.length === 0 ? null : stringifyJson(Object.fromEntries(details));
}

/** What a rejection names that the request still lacks, as `missingPartNamed`. */
export function missingPartOf(
  { operation, words, values }: Rejection,
  contract: Contract,
  wanted?: 'certain',
): MissingPart | undefined {
  const content = requestContent(contract, operation, values);
  return words.map((text) => missingPartNamed(text, content, wanted)).find((part) => part !== undefined);
}
