import * as v from 'valibot';
import type { Profile, TaskShape } from './profile';
import { standard } from './standard';

const letters = { QUEUED: 'A', RUNNING: 'B', SUCCEEDED: 'Z', FAILED: 'E' } as const;

const shape: TaskShape = ({ id, fileName }, { status, progress, message }) => ({
  r: { v: 3, x: { ref: id, nm: fileName, st: letters[status], pc: progress, tx: message } },
});

/** To practice mapping on: nothing has a name that could be guessed, and all of it is two objects deep. */
export const oddNames: Profile = {
  ...standard,
  query: {
    taskId: v.pipe(
      v.object({ q: v.object({ ref: v.string() }) }),
      v.transform(({ q }) => q.ref),
    ),
    wanted: (l10n) => l10n.t('The body must be an object whose "q" is an object whose "ref" is a string.'),
  },
  accepted: shape,
  found: shape,
  event: (task, stage) => ({ event: 'TASK_FINISHED', data: shape(task, stage) }),
};
