import { taskIdText } from '../../service/json/taskId';
import { isMeasurement } from '../../service/response/measurement';
import { whyNotAsked } from '../../tasks/serving/whyNotAsked';
import { shownTask } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import type { Action } from '../platform/userError';
import { neededCommands, statusOf } from '../rows/taskNeeds';
import type { MappingServices } from './mapResponses';
import { chooseFieldAction } from './mapResponses';
import { contractOf, leavesOf } from './offerStatus';

/** The button that chooses where the message of a failed task is; none where nothing in its response could be one. */
export async function chooseMessageActions(services: MappingServices, task: TrackedTask): Promise<readonly Action[]> {
  const isNeeded = neededCommands(task, whyNotAsked(services, task)).includes('chooseMessage');
  return isNeeded && (await mayGiveMessage(services, task)) ? [chooseFieldAction(services, 'message', task)] : [];
}

/** Whether the response has a text that could be the message, and no place was chosen for it. */
async function mayGiveMessage(services: MappingServices, task: TrackedTask): Promise<boolean> {
  if (contractOf(services, task)?.queryTask.message !== undefined) return false;
  const shown = shownTask(task);
  const known = [statusOf(shown), shown.taskId && taskIdText(shown.taskId), task.source?.name];
  return (await leavesOf(services, task)).some(
    ({ value, text }) => typeof value === 'string' && text !== '' && !known.includes(text) && !isMeasurement([text]),
  );
}
