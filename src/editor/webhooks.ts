import * as vscode from 'vscode';
import type { KeyOwner } from './accessKeys';

/** The webhook last set from here for each dataset. The service has no way to ask for it (INTERFACE.md 4.4). */
export class Webhooks implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The URL that was last set; undefined where none was. */
  last(owner: KeyOwner): string | undefined {
    return this.#state.get<string>(slotOf(owner));
  }

  /** Remembers a URL that the service has taken. */
  async remember(owner: KeyOwner, url: URL): Promise<void> {
    await this.#state.update(slotOf(owner), url.href);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function slotOf({ name, baseUrl }: KeyOwner): string {
  return JSON.stringify(['webhook', name, baseUrl.origin]);
}
