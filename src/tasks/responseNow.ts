import type { Contract } from '../service/contract/contract';
import type { TaskId } from '../service/json/taskId';
import type { Outcome } from '../service/response/outcome';
import { toOwnTask } from '../service/response/ownTask';
import { readTaskReport, type TaskReport } from '../service/response/taskReport';
import type { Destination } from './destination';

type Accepted<Value> = Outcome<Value> & { readonly kind: 'accepted' };

/** The contract that a destination has now; undefined if there is no such dataset, or it has another origin. */
export type ContractOf = (destination: Destination) => Contract | undefined;

/** What a response of query-task reports by the current contract: the user may have changed it since the request. */
export function taskReportNow(
  { response, value }: Accepted<TaskReport>,
  contract: Contract | undefined,
  taskId: TaskId,
): TaskReport {
  if (contract === undefined) return value;
  const ownTask = toOwnTask(taskId, contract.fileTask.taskId, contract.queryTask.body);
  return readTaskReport(response.envelope['data'] ?? null, contract.queryTask, ownTask);
}
