import type { DeliveryOutcome } from './deliver';
import { visibleText } from './visibleText';
import type { WebhookDelivery } from './webhook';

/** The webhook events as readable text, one after another: what was sent where, and what came back. */
export function describeDeliveries(deliveries: readonly WebhookDelivery[]): string {
  return deliveries
    .map(({ url, body, outcome }) => `POST ${url}\n${visibleText(body)}\n${describeOutcome(outcome)}\n`)
    .join('\n');
}

function describeOutcome(outcome: DeliveryOutcome): string {
  switch (outcome.kind) {
    case 'answered':
      return `Answered with HTTP ${outcome.status}`;
    case 'failed':
      return `Failed: ${visibleText(outcome.reason)}`;
  }
}
