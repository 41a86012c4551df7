import * as vscode from 'vscode';
import type { KeyOwner } from './accessKeys';

/** A URL that was sent to a service. If the service didn't confirm it, it is not verified. */
export interface Webhook {
  readonly url: string;
  readonly isVerified: boolean;
}

/** Each dataset's last webhook. We store it because the service has no operation to read it. */
export class Webhooks implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  of(owner: KeyOwner): Webhook | undefined {
    return this.#state.get<Webhook>(slotOf(owner));
  }

  async set(owner: KeyOwner, webhook: Webhook | undefined): Promise<void> {
    await this.#state.update(slotOf(owner), webhook);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function slotOf({ name, baseUrl }: KeyOwner): string {
  return JSON.stringify(['webhook', name, baseUrl.origin]);
}
