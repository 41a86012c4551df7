import type { Fault } from '../faults';
import { paths } from '../http/operation';
import { RefusedRequest } from '../http/response';
import type { Profile } from './profile';
import { standard } from './standard';

const none: Fault = { kind: 'none' };
const retryAfter = { 'Retry-After': '2' };

function turnAway(...why: ConstructorParameters<typeof RefusedRequest>): Fault {
  return { kind: 'turnedAway', response: new RefusedRequest(...why).response };
}

const page = '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>\n';

/** The faults of imports: the 2nd file-task request meets the first, the 4th the second, …, the 18th the first again. */
const importFaults: readonly Fault[] = [
  { kind: 'reset', afterShare: 0 },
  { kind: 'reset', afterShare: 0.5 },
  turnAway('tooMany', 'Too many imports. Try again later.', retryAfter),
  turnAway('unavailable', 'The service is being restarted. Try again later.', retryAfter),
  { kind: 'turnedAway', response: { status: 502, headers: { 'Content-Type': 'text/html' }, body: page } },
  { kind: 'responseLost' },
  { kind: 'responseCutShort' },
  turnAway('datasetFull', 'The dataset takes no more files today.'),
];

/** The faults of queries: the 5th query-task request meets the first, the 10th the second, the 15th the first again. */
const queryFaults: readonly Fault[] = [
  { kind: 'reset', afterShare: 0 },
  turnAway('unavailable', 'The service is being restarted. Try again later.', retryAfter),
];

/**
 * The standard profile over an unreliable network. The fault of a request depends only on its number since the sandbox
 * was started; requests without the right key or media type do not count.
 */
export const flaky: Profile = {
  ...standard,
  faults: {
    [paths.fileTask]: importFaults.flatMap((fault) => [none, fault]),
    [paths.queryTask]: queryFaults.flatMap((fault) => [none, none, none, none, fault]),
  },
};
