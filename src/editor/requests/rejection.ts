import type { Contract } from '../../service/contract/contract';
import { taskIdText } from '../../service/json/taskId';
import { namesIn, notSent } from '../../service/request/namedParts';
import type { FileRow } from '../../tasks/store/model';
import { formatRefusal, refusalWords, type WordedRefusal } from '../platform/formatFailures';

/** A request that the service rejected. */
export interface Rejection {
  readonly operation: 'fileTask' | 'queryTask';
  readonly by: WordedRefusal['by'];
  /** What the service said, as it is shown. */
  readonly text: string;
  /** The names in what it said, without the values of the request. */
  readonly names: readonly string[];
}

/** Max names that are offered. */
const MAX_NAMES = 5;

/** The rejection of a row's import or of the last status check; undefined if neither was rejected. */
export function readRejection({ state, name, relativePath, tasks, import: last }: FileRow): Rejection | undefined {
  const values = [
    name,
    relativePath,
    ...(last.sha256 === null ? [] : [last.sha256]),
    ...tasks.map(({ id }) => taskIdText(id)),
  ];
  if (state === 'rejected' && last.cause !== null)
    return rejection('fileTask', last.cause as unknown as WordedRefusal, values);
  const check = tasks.find(({ cause }) => cause?.name === 'Rejected')?.cause;
  return check ? rejection('queryTask', check as unknown as WordedRefusal, values) : undefined;
}

/** The rejection by a refusal. `values` are values of the request, which a message may repeat. */
export function rejection(
  operation: Rejection['operation'],
  refusal: WordedRefusal,
  values: readonly string[],
): Rejection {
  const names = namesIn(refusalWords(refusal), values);
  return { operation, by: refusal.by, text: formatRefusal(refusal), names };
}

/** The names in a rejection that the request still lacks. */
export function namesToSend({ operation, names }: Rejection, contract: Contract): string[] {
  return notSent(names, contract, operation).slice(0, MAX_NAMES);
}
