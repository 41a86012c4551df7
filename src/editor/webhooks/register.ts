import { onOne } from '../targets';
import type { WebhookServices } from './setWebhook';
import { setWebhook } from './setWebhook';

/** Registers the command that sets a webhook. */
export function registerWebhooks(services: WebhookServices): void {
  const set = onOne(['dataset'], (row) => setWebhook(services, row));
  services.commands.handle({ 'datasetImport.setWebhook': set }, services.messages);
}
