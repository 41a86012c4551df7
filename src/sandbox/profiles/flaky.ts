import type { Fault } from '../faults';
import { paths } from '../http/operation';
import { RefusedRequest } from '../http/response';
import type { L10n } from '../l10n';
import type { Profile } from './profile';
import { standard } from './standard';

const none: Fault = { kind: 'none' };
const retryAfter = { 'Retry-After': '2' };

function turnAway(...why: ConstructorParameters<typeof RefusedRequest>): Fault {
  return { kind: 'turnedAway', response: new RefusedRequest(...why).response };
}

const page = '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>\n';

/** The faults of imports: the 2nd file-task request meets the first, the 4th the second, …, the 18th the first again. */
const importFaults = (l10n: L10n): readonly Fault[] => [
  { kind: 'reset', afterShare: 0 },
  { kind: 'reset', afterShare: 0.5 },
  turnAway('tooMany', l10n.t('Too many imports. Try again later.'), retryAfter),
  turnAway('unavailable', l10n.t('The service is being restarted. Try again later.'), retryAfter),
  { kind: 'turnedAway', response: { status: 502, headers: { 'Content-Type': 'text/html' }, body: page } },
  { kind: 'responseLost' },
  { kind: 'responseCutShort' },
  turnAway('datasetFull', l10n.t('The dataset takes no more files today.')),
];

/** The faults of queries: the 5th query-task request meets the first, the 10th the second, the 15th the first again. */
const queryFaults = (l10n: L10n): readonly Fault[] => [
  { kind: 'reset', afterShare: 0 },
  turnAway('unavailable', l10n.t('The service is being restarted. Try again later.'), retryAfter),
];

/**
 * The standard profile over an unreliable network. The fault of a request depends only on its number since the sandbox
 * was started; requests without the right key or media type do not count.
 */
export const flaky: Profile = {
  ...standard,
  faults: (l10n) => ({
    [paths.fileTask]: importFaults(l10n).flatMap((fault) => [none, fault]),
    [paths.queryTask]: queryFaults(l10n).flatMap((fault) => [none, none, none, none, fault]),
  }),
};
