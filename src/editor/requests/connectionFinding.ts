import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { JsonObject } from '../../service/json/json';
import type { Outcome } from '../../service/response/outcome';
import type { Paused } from '../../tasks/following/destinationQueries';
import { failureOf } from '../../tasks/trackedTask';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';

/** What helps after a test of a connection. */
export type Help = 'editRequest' | 'replaceKey' | 'changeBaseUrl' | 'testAgain';

/** What came of a test of a connection. */
export interface Finding {
  /** Whether the service responded as it should to a query for a task that it does not know. */
  readonly isGood: boolean;
  readonly message: string;
  readonly helps: readonly Help[];
  /** The response, access keys masked, where it is an envelope. */
  readonly response?: JsonObject;
}

/** Says what came back for a query for a task that does not exist. */
export function connectionFinding(dataset: Dataset, outcome: Outcome<unknown> | Paused): Finding {
  const { name } = dataset;
  switch (outcome.kind) {
    case 'accepted':
      return {
        isGood: true,
        message: l10n.t(
          'Connected to {0}. The access key was accepted: the service responded with code 0, even for a task that does not exist.',
          name,
        ),
        helps: ['editRequest'],
        response: outcome.response.envelope,
      };
    case 'rejected':
      return rejectedFinding(dataset, outcome);
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
): Finding {
  const words = formatRefusal(refusal);
  const shown = refusal.by === 'envelope' ? { response: refusal.response.envelope } : {};
  if (badKey) {
    const message = l10n.t('{0} was reached, but the access key was refused: {1}', name, words);
    return { isGood: false, message, helps: ['replaceKey'], ...shown };
  }
  if (tryLater) {
    const message = l10n.t('{0} was reached, but asks to try again later: {1}', name, words);
    return { isGood: false, message, helps: ['testAgain'], ...shown };
  }
  if (refusal.by === 'envelope') {
    const message = l10n.t(
      'Connected to {0}. For a task that does not exist, the service responded: {1}. This does not show whether it accepted the access key.',
      name,
      words,
    );
    return { isGood: true, message, helps: ['editRequest', 'replaceKey'], ...shown };
  }
  const message = l10n.t(
    "{0} was reached, but not the service of dataset '{1}': {2}. Check the base URL and the path of the query.",
    baseUrl.host,
    name,
    words,
  );
  return { isGood: false, message, helps: ['editRequest', 'changeBaseUrl'] };
}
