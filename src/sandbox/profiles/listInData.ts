import * as v from 'valibot';
import { eventWith, type Profile, type TaskShape } from './profile';
import { standard } from './standard';

const statuses = { QUEUED: 'WAITING', RUNNING: 'IMPORTING', SUCCEEDED: 'FINISHED', FAILED: 'FAILED' } as const;

const tasks: TaskShape = ({ id, fileName }, { status, progress, message }) => ({
  tasks: [{ importId: id, fileName, taskStatus: statuses[status], rate: `${progress}%`, errorMsg: message }],
});

/** Both responses hold a list of tasks, and the query asks with a list of ids. */
export const listInData: Profile = {
  ...standard,
  query: {
    taskId: v.pipe(
      v.object({ importIds: v.strictTuple([v.string()]) }),
      v.transform(({ importIds: [importId] }) => importId),
    ),
    wanted: 'an object whose "importIds" is a list of one string',
  },
  accepted: tasks,
  found: tasks,
  event: eventWith(tasks),
};
