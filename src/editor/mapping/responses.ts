import type { Contract } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { isJsonObject, type Json, parseJson } from '../../service/json/json';
import type { ResponseField } from '../../service/response/fields';
import { type OwnTask, toOwnTask } from '../../service/response/ownTask';
import { readTaskReport, type TaskReport } from '../../service/response/taskReport';
import { isOf } from '../../tasks/destination';
import type { DestinationRow, FileRow, ResponseKind } from '../../tasks/store/model';
import type { Services } from '../services';

/** How many of the newest rows are looked at for a response. */
const LOOKED_AT = 50;
/** Max different results that an expression is tried on. */
const MAX_RESULTS = 6;

type Reading = Pick<Services, 'store'>;

/** A stored response, and the row that it is about. */
export interface StoredResponse {
  readonly row: FileRow;
  readonly text: string;
}

/** The `data` of a stored response; undefined if only a part of the response is stored. */
export function responseData(text: string): Json | undefined {
  try {
    const envelope = parseJson(text);
    return isJsonObject(envelope) ? (envelope['data'] ?? null) : undefined;
  } catch {
    return undefined;
  }
}

/** The task of a row for which query-task's response is read: a failed one, because its response is the one that is kept. */
export function ownTaskOf({ tasks }: FileRow, { fileTask, queryTask }: Contract): OwnTask | undefined {
  const task = tasks.find(({ meaning }) => meaning === 'failed') ?? tasks.at(-1);
  return task && toOwnTask(task.id, fileTask.taskId, queryTask.body);
}

/** What query-task's response says by a contract. */
export function reportIn({ row, text }: StoredResponse, contract: Contract): TaskReport | undefined {
  const data = responseData(text);
  return data === undefined ? undefined : readTaskReport(data, contract.queryTask, ownTaskOf(row, contract));
}

/** The destination at which a dataset has its tasks now; undefined if there are none. */
export async function destinationOf({ store }: Reading, dataset: Dataset): Promise<DestinationRow | undefined> {
  return (await store.destinations(null)).find((one) => isOf(one, dataset));
}

/** The response in which a field is looked for: that of a row, or else the newest of the dataset. */
export async function responseWith(
  services: Reading,
  dataset: Dataset,
  field: ResponseField,
  row?: FileRow,
): Promise<StoredResponse | undefined> {
  const kind: ResponseKind = field === 'taskId' ? 'import' : 'query';
  const destination = await destinationOf(services, dataset);
  if (destination === undefined) return undefined;
  const filter = { destinations: [destination.id] };
  const { rows } = await services.store.page({ filter, limit: LOOKED_AT, newestFirst: true });
  for (const one of row === undefined ? rows : [row, ...rows]) {
    const text = (await services.store.details(one.id))?.responses[kind];
    if (text !== undefined) return { row: one, text };
  }
  return undefined;
}

/** A response of each different result that the tasks of a dataset have, the newest first. */
export async function distinctReports(services: Reading, dataset: Dataset): Promise<readonly StoredResponse[]> {
  const destination = await destinationOf(services, dataset);
  if (destination === undefined) return [];
  const responses = await services.store.responses({ destination: destination.id, kind: 'query', after: 0 });
  const newest = responses.toSorted((one, other) => other.import - one.import);
  const { rows } = await services.store.page({
    filter: { files: newest.map(({ file }) => file) },
    limit: newest.length,
  });
  return newest.flatMap(({ file, text }) => {
    const row = rows.find(({ id }) => id === file);
    return row === undefined ? [] : [{ row, text }];
  });
}

/** Some results to try an expression on. */
export async function sampleReports(services: Reading, dataset: Dataset): Promise<readonly StoredResponse[]> {
  return (await distinctReports(services, dataset)).slice(0, MAX_RESULTS);
}
