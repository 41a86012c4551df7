import { type Contract, isSuccessCode } from '../../service/contract/contract';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../service/json/json';
import type { ResponseField } from '../../service/response/fields';
import { type OwnTask, toOwnTask } from '../../service/response/ownTask';
import { shownTask } from '../severalTasks';
import type { Responses, TrackedTask } from '../trackedTask';

/** The task for which its last response is read: of several the one that it is about; undefined where it has no id. */
export function ownTaskOf(task: TrackedTask, { fileTask, queryTask }: Contract): OwnTask | undefined {
  const { taskId } = shownTask(task);
  return taskId && toOwnTask(taskId, fileTask.taskId, queryTask.body);
}

/** The response of a task in which a field is looked for; undefined where there is none yet. */
export function responseFor(field: ResponseField, task: TrackedTask, responses: Responses): string | undefined {
  if (field === 'taskId') return hasResponseFor(field, task) ? responses.importResponse : undefined;
  if (task.phase.kind !== 'accepted') return undefined;
  return queryResponse(shownTask(task), responses.lastResponse);
}

/** Whether a task has a response in which a field is looked for, as far as is known without reading it. */
export function hasResponseFor(field: ResponseField, task: TrackedTask): boolean {
  if (field === 'taskId') return task.hasImportResponse && (task.phase.kind === 'accepted' || isRepeatedId(task));
  return task.phase.kind === 'accepted' && task.hasLastResponse && hasReport(shownTask(task));
}

/** Whether an import is unconfirmed because its response has the task ID of another file. */
export function isRepeatedId({ phase }: TrackedTask): boolean {
  if (phase.kind !== 'unconfirmed') return false;
  return phase.failure.name === 'BadResponseError' && phase.failure.reason === 'repeatedId';
}

/** The last report of query-task; undefined if it reports nothing yet, was rejected, or is stored only in part. */
export function queryResponse(task: TrackedTask, lastResponse: string | undefined): string | undefined {
  if (lastResponse === undefined || !hasReport(task)) return undefined;
  return isSuccessCode(envelopeOf(lastResponse)?.['code']) ? lastResponse : undefined;
}

function hasReport({ phase, lastQueryError }: TrackedTask): boolean {
  if (phase.kind !== 'accepted' || phase.report === undefined || phase.report.meaning === 'none') return false;
  return lastQueryError?.kind !== 'rejected' || lastQueryError.refusal.by !== 'envelope';
}

/** The `data` of a stored response; undefined if only a part of the response is stored. */
export function responseData(response: string): Json | undefined {
  const envelope = envelopeOf(response);
  return envelope && (envelope['data'] ?? null);
}

function envelopeOf(response: string): JsonObject | undefined {
  try {
    const envelope = parseJson(response);
    return isJsonObject(envelope) ? envelope : undefined;
  } catch {
    return undefined;
  }
}
