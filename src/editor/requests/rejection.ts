import type { Contract } from '../../service/contract/contract';
import { taskIdText } from '../../service/json/taskId';
import { type MissingPart, missingPartNamed, requestContent } from '../../service/request/missingPart';
import type { TaskList } from '../../tasks/store/taskList';
import type { KeptRefusal, TrackedTask } from '../../tasks/trackedTask';

/** A request that the service rejected. */
export interface Rejection {
  readonly operation: 'fileTask' | 'queryTask';
  /** What the service said: its message, then its whole response. */
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
  switch (refusal.by) {
    case 'envelope':
      return { operation, words: [refusal.message, response].filter((words) => typeof words === 'string'), values };
    case 'status':
      return { operation, words: [refusal.excerpt], values };
    case 'redirect':
      return { operation, words: [], values };
  }
}

/** What a rejection names that the request still lacks; undefined where it names nothing. */
export function missingPartOf({ operation, words, values }: Rejection, contract: Contract): MissingPart | undefined {
  const content = requestContent(contract, operation, values);
  return words.map((text) => missingPartNamed(text, content)).find((part) => part !== undefined);
}
