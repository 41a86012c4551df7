import type { WebhookServices } from './setWebhook';
import { setWebhook } from './setWebhook';

/** Registers the command that sets a webhook. */
export function registerWebhooks(services: WebhookServices): void {
  services.commands.handle({ 'datasetImport.setWebhook': (target) => setWebhook(services, target) }, services.messages);
}
