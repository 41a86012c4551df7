import * as v from 'valibot';
import { eventWith, type Profile, type TaskShape } from './profile';
import { standard } from './standard';

const states = { QUEUED: 0, RUNNING: 1, SUCCEEDED: 2, FAILED: 3 } as const;

const found: TaskShape = ({ id, fileName }, { status, progress, message }) => ({
  id,
  fileName,
  state: states[status],
  progress: progress / 100,
  message,
});

/** Ids and states are JSON numbers, ids beyond 2^53; progress is a fraction. */
export const numericIds: Profile = {
  ...standard,
  idFrom: longId,
  query: {
    // A string is a wrong id rather than a wrong body, as in services that look it up before they check its type.
    taskId: v.pipe(
      v.object({ id: v.union([v.bigint(), v.number(), v.string()]) }),
      v.transform(({ id }) => id),
    ),
    wanted: 'an object whose "id" is a number',
  },
  accepted: ({ id, fileName }) => ({ id, fileName }),
  found,
  event: eventWith(found),
};

/** A signed 64-bit number of 19 digits. It is odd, so that a double cannot hold it exactly. */
function longId(uuid: string): bigint {
  const digits = BigInt(`0x${uuid.replaceAll('-', '')}`) % 8_000_000_000_000_000_000n;
  return (1_000_000_000_000_000_000n + digits) | 1n;
}
