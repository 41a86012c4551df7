import type { Contract } from '../../service/contract/contract';
import { taskIdText } from '../../service/json/taskId';
import { missingNames, namesIn } from '../../service/request/namedParts';
import type { FileRow } from '../../tasks/store/model';
import { formatRejection, rejectionText, type ShownRejection } from '../platform/formatFailures';

/** A request that the service rejected. */
export interface NamedRejection {
  readonly operation: 'fileTask' | 'queryTask';
  readonly by: ShownRejection['by'];
  /** What the service said, as it is shown. */
  readonly text: string;
  /** The names in what it said, without the values of the request. */
  readonly names: readonly string[];
}

/** Max names that are offered. */
const MAX_NAMES = 5;

/** The rejection of a row's import or of the last status check; undefined if neither was rejected. */
export function rejectionOf({ state, name, relativePath, tasks, import: last }: FileRow): NamedRejection | undefined {
  const values = [
    name,
    relativePath,
    ...(last.sha256 === null ? [] : [last.sha256]),
    ...tasks.map(({ id }) => taskIdText(id)),
  ];
  if (state === 'rejected' && last.cause !== null)
    return namedRejection('fileTask', last.cause as unknown as ShownRejection, values);
  const check = tasks.find(({ cause }) => cause?.name === 'Rejected')?.cause;
  return check ? namedRejection('queryTask', check as unknown as ShownRejection, values) : undefined;
}

/** The names in a rejection. `values` are values of the request, which a message may repeat. */
export function namedRejection(
  operation: NamedRejection['operation'],
  rejection: ShownRejection,
  values: readonly string[],
): NamedRejection {
  const names = namesIn(rejectionText(rejection), values);
  return { operation, by: rejection.by, text: formatRejection(rejection), names };
}

/** The names in a rejection that the request still lacks. */
export function namesToSend({ operation, names }: NamedRejection, contract: Contract): string[] {
  return missingNames(names, contract, operation).slice(0, MAX_NAMES);
}
