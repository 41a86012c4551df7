import * as vscode from 'vscode';
import type { KeyOwner } from '../services/accessKeys';

/**
 * The webhook that was last set for each dataset, and one that is not verified: the service may have accepted it. The
 * service has no operation to read its webhook.
 */
export class Webhooks implements vscode.Disposable {
  readonly #state: vscode.Memento;
  /** What was typed in this window and not accepted yet. */
  readonly #typed = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The URL that was last set. */
  last(owner: KeyOwner): string | undefined {
    return this.#state.get<string>(slotOf('webhook', owner));
  }

  /** The URL that was sent after the last one, without a clear response. */
  notVerified(owner: KeyOwner): string | undefined {
    return this.#state.get<string>(slotOf('webhookNotVerified', owner));
  }

  /** The URL that was typed last, until the service accepts it. */
  typed(owner: KeyOwner): string | undefined {
    return this.#typed.get(slotOf('webhook', owner));
  }

  keepTyped(owner: KeyOwner, url: URL): void {
    this.#typed.set(slotOf('webhook', owner), url.href);
  }

  /** Saves a URL that the service accepted. */
  async remember(owner: KeyOwner, url: URL): Promise<void> {
    this.#typed.delete(slotOf('webhook', owner));
    await this.#state.update(slotOf('webhook', owner), url.href);
    await this.rememberNotVerified(owner, undefined);
  }

  /** Saves a URL before it is sent, so that it is known even after a crash; undefined deletes it. */
  async rememberNotVerified(owner: KeyOwner, url: string | undefined): Promise<void> {
    await this.#state.update(slotOf('webhookNotVerified', owner), url);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function slotOf(what: 'webhook' | 'webhookNotVerified', { name, baseUrl }: KeyOwner): string {
  return JSON.stringify([what, name, baseUrl.origin]);
}
