import type { Contract } from '../service/contract/contract';
import type { TaskId } from '../service/json/taskId';
import type { Outcome } from '../service/response/outcome';
import { toOwnTask } from '../service/response/ownTask';
import { type BegunTask, readBegunTask, readTaskReport, type TaskReport } from '../service/response/taskReport';
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
  return readBegunTask(response.envelope['data'] ?? null, contract.fileTask);
}

/** As {@link begunTaskNow}, of a response of query-task. */
export function taskReportNow(
  { response, value }: Accepted<TaskReport>,
  contract: Contract | undefined,
  taskId: TaskId,
): TaskReport {
  if (contract === undefined) return value;
  const ownTask = toOwnTask(taskId, contract.fileTask.taskId, contract.queryTask.body);
  return readTaskReport(response.envelope['data'] ?? null, contract.queryTask, ownTask);
}
