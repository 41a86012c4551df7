import { l10n } from 'vscode';
import type { WebhookDelivery } from '../../sandbox/sandbox';
import { visibleText } from '../platform/outsideText';

/** The webhook deliveries of the sandbox as readable text. */
export function describeDeliveries(deliveries: readonly WebhookDelivery[]): string {
  return deliveries
    .map(({ url, body, outcome }) => `POST ${url}\n${visibleText(body)}\n${describeOutcome(outcome)}\n`)
    .join('\n');
}

function describeOutcome(outcome: WebhookDelivery['outcome']): string {
  switch (outcome.kind) {
    case 'answered':
      return l10n.t('Answered with HTTP {0}', outcome.status);
    case 'failed':
      return l10n.t('Failed: {0}', visibleText(outcome.reason));
  }
}
