import type { Commands } from '../start/commands';
import { setWebhook, type WebhookDeps } from './setWebhook';

/** Registers the command that sets a webhook. */
export function registerWebhooks(deps: WebhookDeps & { readonly commands: Commands }): void {
  deps.commands.handle({ 'datasetImport.setWebhook': (target) => setWebhook(deps, target) }, deps.messages);
}
