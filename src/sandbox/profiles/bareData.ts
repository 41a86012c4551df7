import * as v from 'valibot';
import { eventWith, type Profile, type TaskShape } from './profile';
import { standard } from './standard';

const statuses = { QUEUED: 'SUBMITTED', RUNNING: 'RUNNING', SUCCEEDED: 'COMPLETED', FAILED: 'FAILED' } as const;

const found: TaskShape = ({ id }, { status, progress, message }) => [
  { jobNo: id, jobStatus: statuses[status], percent: progress, errMsg: message },
];

/** `data` is itself a list, where the documentation shows an object: a deviation that real services have. */
export const bareData: Profile = {
  ...standard,
  idFrom: (uuid) => `JOB-${uuid.replaceAll('-', '').slice(0, 20).toUpperCase()}`,
  query: {
    taskId: v.pipe(
      v.object({ jobNo: v.string() }),
      v.transform(({ jobNo }) => jobNo),
    ),
    wanted: 'an object whose "jobNo" is a string',
  },
  accepted: ({ id }) => [{ jobNo: id }],
  found,
  event: eventWith(found),
};
