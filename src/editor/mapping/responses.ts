import type { Contract } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import type { Json } from '../../service/json/json';
import type { TaskId } from '../../service/json/taskId';
import { type OwnTask, rootField, toOwnTask } from '../../service/response/field';
import { responseData } from '../../service/response/outcome';
import { readTaskIds } from '../../service/response/taskIds';
import { readTaskReport, type TaskReport } from '../../service/response/taskReport';
import type { FieldName } from '../../service/response/usualNames';
import { type DestinationRow, type FileRow, isAt, type ResponseKind } from '../../tasks/store/model';
import type { Services } from '../services';
import { UPLOADED } from '../wording/states';

/** How many of the most recent rows to search for a response. */
const LOOKED_AT = 50;

type Reading = Pick<Services, 'store'>;

/** A stored response and its row. */
export interface StoredResponse {
  readonly row: FileRow;
  /** Undefined if only part of the response is stored. */
  readonly data: Json | undefined;
}

/**
 * Finds the task that a stored query-task response is about: the task whose ID it contains, otherwise the first failed
 * task or, if none has failed, the last task.
 */
export function taskOf({ row, data = null }: StoredResponse, { fileTask, queryTask }: Contract): OwnTask | undefined {
  const tasks = [...row.tasks.filter(({ meaning }) => meaning === 'failed'), ...row.tasks.toReversed()];
  const own = tasks.map(({ id }) => toOwnTask(id, fileTask.taskId, queryTask.body, data));
  return own.find((task) => rootField(data, task).whose === 'own') ?? own[0];
}

/** Reads a query-task response according to a contract. */
export function reportIn(response: StoredResponse, contract: Contract): TaskReport | undefined {
  const { data } = response;
  return data === undefined ? undefined : readTaskReport(data, contract.queryTask, taskOf(response, contract));
}

/** Finds a field in a response. Returns its pointer, or undefined if the field isn't recognized. */
export function pointerIn(response: StoredResponse, contract: Contract, field: FieldName): string | undefined {
  if (field !== 'taskId') return reportIn(response, contract)?.pointers[field];
  return response.data === undefined ? undefined : readTaskIds(response.data, contract.fileTask).pointer;
}

/** Finds a dataset's current destination. Returns undefined if the dataset has no tasks. */
export async function destinationOf({ store }: Reading, dataset: Dataset): Promise<DestinationRow | undefined> {
  return (await store.destinations(null)).find((one) => one.dataset === dataset.name && isAt(one, dataset.baseUrl));
}

/** Reads a dataset's most recent rows to which the service has responded. */
async function newestRows(services: Reading, dataset: Dataset): Promise<readonly FileRow[]> {
  const destination = await destinationOf(services, dataset);
  if (destination === undefined) return [];
  // Read each state by itself, because a page lists all rows in one state before those in the next.
  const pages = UPLOADED.map((state) => {
    const filter = { destinations: [destination.id], states: [state] };
    return services.store.page({ filter, limit: LOOKED_AT, newestFirst: true });
  });
  const rows = (await Promise.all(pages)).flatMap((page) => page.rows);
  return rows.sort((one, other) => other.import.id - one.import.id).slice(0, LOOKED_AT);
}

/** Finds the ID of a dataset's most recent task. */
export async function newestTaskId(services: Reading, dataset: Dataset): Promise<TaskId | undefined> {
  return (await newestRows(services, dataset)).flatMap(({ tasks }) => tasks)[0]?.id;
}

/**
 * Finds a response that should contain a field: `row`'s response if it has one, otherwise the dataset's latest
 * response.
 */
export async function responseWith(
  services: Reading,
  dataset: Dataset,
  field: FieldName,
  row?: FileRow,
): Promise<StoredResponse | undefined> {
  const kind: ResponseKind = field === 'taskId' ? 'import' : 'query';
  for (const one of [...(row ? [row] : []), ...(await newestRows(services, dataset))]) {
    const text = (await services.store.details(one.id))?.responses[kind];
    if (text !== undefined) return { row: one, data: responseData(text) };
  }
  return undefined;
}

/**
 * Reads the stored responses about a dataset's tasks, one for each distinct status and meaning. The most recent
 * response comes first.
 */
export async function distinctReports(services: Reading, dataset: Dataset): Promise<readonly StoredResponse[]> {
  const destination = await destinationOf(services, dataset);
  if (destination === undefined) return [];
  const responses = await services.store.responses({ destination: destination.id, kind: 'query', after: 0 });
  const files = responses.map(({ file }) => file);
  const { rows } = await services.store.page({ filter: { files }, limit: files.length });
  const newestFirst = responses.toSorted((one, other) => other.import - one.import);
  return newestFirst.flatMap(({ file, text }) =>
    rows.filter(({ id }) => id === file).map((row) => ({ row, data: responseData(text) })),
  );
}
