import type { Disposable } from 'vscode';
import { registerCommands } from '../platform/registerCommands';
import { setWebhook, type WebhookDeps } from './setWebhook';

/** Registers the command that sets a webhook. */
export function registerWebhooks(deps: WebhookDeps): Disposable {
  return registerCommands({ setWebhook: (target) => setWebhook(deps, target) }, deps.messages);
}
