import { KEY_MASK } from '../service/contract/accessKey';
import type { Contract } from '../service/contract/contract';
import { type Json, unwrapped } from '../service/json/json';
import type { TaskId } from '../service/json/taskId';
import { toOwnTask } from '../service/places/whose';
import type { Outcome } from '../service/response/outcome';
import {
  type BegunTask,
  readBegunTask,
  readTaskReport,
  type TaskReport,
  withoutIds,
} from '../service/response/taskReport';
import type { Destination } from './destination';

type Accepted<Value> = Outcome<Value> & { readonly kind: 'accepted' };

/** The contract that a destination has now; undefined where there is no such dataset, or it is at another origin. */
export type ContractOf = (destination: Destination) => Contract | undefined;

/** What a response of file-task reports by the present contract: the user may have changed it since the request. */
export function begunTaskNow({ response, value }: Accepted<BegunTask>, contract: Contract | undefined): BegunTask {
  const pointer = contract?.fileTask.taskId;
  const isReadSo =
    value.from !== undefined && pointer === (value.from.how === 'mapped' ? value.from.pointer : undefined);
  if (contract === undefined || isReadSo) return value;
  return begunTaskIn(unwrapped(response.envelope['data'] ?? null), contract) ?? value;
}

/** As {@link begunTaskNow}, of a response of query-task. */
export function taskReportNow(
  { response, value }: Accepted<TaskReport>,
  contract: Contract | undefined,
  taskId: TaskId,
): TaskReport {
  if (contract === undefined) return value;
  const ownTask = toOwnTask(taskId, contract.fileTask.taskId, contract.queryTask.body);
  return readTaskReport(unwrapped(response.envelope['data'] ?? null), contract.queryTask, ownTask);
}

/** What a response of file-task reports; undefined where the access key is masked in all of its ids, which are none then. */
export function begunTaskIn(data: Json, contract: Contract): BegunTask | undefined {
  const begun = readBegunTask(data, contract.fileTask);
  const known = withoutIds(begun, (id) => id.includes(KEY_MASK));
  return begun.taskId !== undefined && known.taskId === undefined ? undefined : known;
}
