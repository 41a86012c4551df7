import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { isNothing, type JsonObject } from '../../service/json/json';
import type { Outcome, Refusal } from '../../service/response/outcome';
import type { Paused } from '../../tasks/following/destinationQueries';
import { failureOf } from '../../tasks/trackedTask';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';
import { shortText } from '../platform/outsideText';

/** What helps after a test of a connection. */
export type Help = 'importFiles' | 'editRequest' | 'replaceKey' | 'changeBaseUrl' | 'testAgain';

/** What came of a test of a connection. */
export interface Finding {
  /** Whether the service responded as it should to a query for a task that it does not know. */
  readonly isGood: boolean;
  readonly message: string;
  readonly helps: readonly Help[];
  /** The response, access keys masked, where it is an envelope that says more than the message. */
  readonly response?: JsonObject;
}

/**
 * Says what came back for a query for a task that does not exist. `earlier` is the refusal of the same query with the
 * access key before this one.
 */
export function connectionFinding(dataset: Dataset, outcome: Outcome<unknown> | Paused, earlier?: Refusal): Finding {
  const { name } = dataset;
  switch (outcome.kind) {
    case 'accepted':
      return {
        isGood: true,
        message: l10n.t(
          'Connected to {0}. The access key was accepted: the service responded with code 0, even for a task that does not exist.',
          name,
        ),
        helps: ['importFiles', 'editRequest'],
        ...responseOf(outcome.response.envelope),
      };
    case 'rejected':
      return rejectedFinding(dataset, outcome, earlier);
    case 'notSent':
      return {
        isGood: false,
        message: l10n.t('Cannot reach {0}. {1}', name, formatFailure(failureOf(outcome.cause))),
        helps: ['testAgain', 'changeBaseUrl'],
      };
    case 'unconfirmed':
      return {
        isGood: false,
        message: l10n.t('{0} did not respond as expected. {1}', name, formatFailure(failureOf(outcome.cause))),
        helps: ['editRequest', 'testAgain'],
      };
    case 'paused':
      return {
        isGood: false,
        message: l10n.t('{0} asked to wait. Try again in {1} s.', name, Math.ceil(outcome.pauseMs / 1000)),
        helps: ['testAgain'],
      };
  }
}

function rejectedFinding(
  { name, baseUrl }: Dataset,
  { refusal, badKey, tryLater }: Extract<Outcome<unknown>, { kind: 'rejected' }>,
  earlier: Refusal | undefined,
): Finding {
  const words = formatRefusal(refusal);
  const shown = refusal.by === 'envelope' ? responseOf(refusal.response.envelope) : {};
  if (badKey) {
    const message = l10n.t('{0} was reached, but the access key was rejected: {1}', name, words);
    return { isGood: false, message, helps: ['replaceKey'], ...shown };
  }
  if (tryLater) {
    const message = l10n.t('{0} was reached, but asks to try again later: {1}', name, words);
    return { isGood: false, message, helps: ['testAgain'], ...shown };
  }
  if (refusal.by === 'envelope') {
    const before = earlier && formatDifference(earlier, refusal);
    const message =
      before !== undefined
        ? l10n.t(
            'Connected to {0}. For a task that does not exist, the service responded to the previous access key with {1}, and to this one with {2}',
            ...[name, before, words],
          )
        : l10n.t(
            'Connected to {0}. The first import will show whether it accepts the access key. For a task that does not exist, the service responded: {1}',
            ...[name, words],
          );
    return { isGood: true, message, helps: ['importFiles', 'replaceKey', 'editRequest'], ...shown };
  }
  const message = l10n.t(
    "{0} was reached, but not the service of dataset '{1}': {2}. Check the base URL and the path of the query.",
    baseUrl.host,
    name,
    words,
  );
  return { isGood: false, message, helps: ['editRequest', 'changeBaseUrl'] };
}

function responseOf(envelope: JsonObject): Pick<Finding, 'response'> {
  const { code: _, message, ...more } = envelope;
  const isCut = typeof message === 'string' && shortText(message) !== message;
  return isCut || !Object.values(more).every(isNothing) ? { response: envelope } : {};
}

/** How an earlier refusal differs from this one: by its code, else by its HTTP status; undefined where it does not. */
function formatDifference(earlier: Refusal, refusal: Refusal): string | undefined {
  const code = codeOf(earlier);
  if (code !== undefined && code !== codeOf(refusal)) return l10n.t('code {0}', shortText(code));
  return earlier.status === refusal.status ? undefined : l10n.t('HTTP {0}', earlier.status);
}

function codeOf(refusal: Refusal): string | undefined {
  return refusal.by === 'envelope' ? refusal.code : undefined;
}
