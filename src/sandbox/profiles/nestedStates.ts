import { eventWith, type Profile, type TaskShape } from './profile';
import { standard } from './standard';

const phases = { QUEUED: 'RECEIVED_0', RUNNING: 'INDEXING_2', SUCCEEDED: 'IN_DATASET', FAILED: 'BROKEN_9' } as const;

const importTask: TaskShape = ({ id, fileName }, { status, progress, message }) => ({
  importTask: { id, fileName, phase: { name: phases[status], percent: progress, detail: message } },
});

/** The task is an object inside `data`, its phase another inside that, and the phases have names of their own. */
export const nestedStates: Profile = {
  ...standard,
  accepted: importTask,
  found: importTask,
  event: eventWith(importTask),
};
