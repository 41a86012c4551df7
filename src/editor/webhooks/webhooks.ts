import * as vscode from 'vscode';
import type { KeyOwner } from '../accessKeys/accessKeys';

/**
 * The webhook last set from here for each dataset, and one of which it is not certain that the service took it. The
 * service has no way to ask for it.
 */
export class Webhooks implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The URL that was last set; undefined where none was. */
  last(owner: KeyOwner): string | undefined {
    return this.#state.get<string>(slotOf('webhook', owner));
  }

  /** The URL that was sent after that, and of which no clear response came; undefined where there is none. */
  notVerified(owner: KeyOwner): string | undefined {
    return this.#state.get<string>(slotOf('webhookNotVerified', owner));
  }

  /** Remembers a URL that the service has taken. */
  async remember(owner: KeyOwner, url: URL): Promise<void> {
    await this.#state.update(slotOf('webhook', owner), url.href);
    await this.rememberNotVerified(owner, undefined);
  }

  /** Remembers a URL before it is sent, so that it is known even where no response can be; undefined forgets it. */
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
