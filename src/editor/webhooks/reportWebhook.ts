import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Outcome } from '../../service/response/outcome';
import { backoffMs, retryDelayMs } from '../../tasks/timing/backoff';
import { failureOf } from '../../tasks/trackedTask';
import { replaceAccessKey } from '../datasets/enterAccessKey';
import { formatSentences } from '../language/formatLists';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';
import type { Action } from '../platform/userError';
import { editRequestAction } from '../requests/editRequest';
import type { Services } from '../services/services';

/** What can be done after a webhook was not set. */
export interface NextSteps {
  /** The dataset as it is then. */
  current(): Dataset;
  /** Sends the request again, at a monotonic time or later. */
  retry(notBeforeMs?: number): unknown;
  /** Asks for another URL. */
  changeUrl(): unknown;
  /** The button that edits the path of the request, and goes on with it. */
  readonly editPath: Action;
}

/** Says how the registration of a webhook ended, and offers what helps. */
export async function reportWebhook(
  services: Services,
  { name, contract }: Dataset,
  url: URL,
  outcome: Outcome<undefined>,
  next: NextSteps,
): Promise<void> {
  const { messages, clock } = services;
  const { retryAfterMs } = 'retryAfterMs' in outcome ? outcome : {};
  const waitMs = retryAfterMs === undefined ? 0 : retryDelayMs(retryAfterMs, backoffMs(1, clock.random));
  const pause = waitMs === 0 ? [] : [l10n.t('The service asks to wait {0} s.', Math.ceil(waitMs / 1000))];
  const notBeforeMs = clock.monotonicMs() + waitMs;
  const retry = { label: l10n.t('Retry'), run: () => next.retry(notBeforeMs) };
  const changeUrl = { label: l10n.t('Change URL…'), run: () => next.changeUrl() };
  switch (outcome.kind) {
    case 'accepted':
      return messages.done(l10n.t("The webhook of '{0}' is now {1}.", name, url.href));
    case 'rejected': {
      const { refusal, badKey, tryLater } = outcome;
      const message = l10n.t('{0} rejected the webhook: {1}', name, formatRefusal(refusal));
      if (tryLater) return messages.warn(formatSentences([message, ...pause]), retry);
      if (badKey)
        return messages.warn(
          message,
          replaceAccessKey(services, next.current, () => next.retry()),
          changeUrl,
        );
      if (refusal.by === 'envelope') {
        return messages.warn(
          message,
          changeUrl,
          editRequestAction(services, next.current, () => next.retry()),
        );
      }
      const where = l10n.t('The path {0} is assumed. This service may use a different one.', contract.paths.setWebhook);
      return messages.warn(formatSentences([withStop(message), where]), next.editPath, changeUrl);
    }
    case 'notSent': {
      if (outcome.cause.name === 'CanceledError') return;
      const cause = formatFailure(failureOf(outcome.cause));
      return messages.warn(l10n.t("The webhook of '{0}' was not set. {1}", name, cause), retry);
    }
    case 'unconfirmed': {
      const cause = formatFailure(failureOf(outcome.cause));
      const message = l10n.t('{0} may have received the webhook, but did not confirm it. {1}', name, cause);
      return messages.warn(formatSentences([message, ...pause]), retry);
    }
  }
}

/** A sentence with its full stop, after words of the service that may have one. */
function withStop(sentence: string): string {
  return /[.!?。]$/u.test(sentence) ? sentence : l10n.t('{0}.', sentence);
}
