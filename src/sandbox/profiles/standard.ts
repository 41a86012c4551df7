import * as v from 'valibot';
import { isFinished } from '../sandboxTasks';
import type { Profile } from './profile';

/** What the extension assumes where a dataset overrides nothing. The other profiles change parts of it. */
export const standard: Profile = {
  query: {
    taskId: v.pipe(
      v.object({ taskId: v.string() }),
      v.transform(({ taskId }) => taskId),
    ),
    wanted: (l10n) => l10n.t('The body must be an object whose "taskId" is a string.'),
  },
  accepted: ({ id }) => ({ taskId: id }),
  found: ({ id, fileName, text: { lines, bytes, sha256 } }, stage) => ({
    taskId: id,
    fileName,
    ...stage,
    ...(isFinished(stage) ? { lines, bytes, sha256 } : {}),
  }),
  event: ({ id, fileName }, stage) => ({ event: 'TASK_FINISHED', taskId: id, fileName, ...stage }),
  faults: () => ({}),
};
