import type { Memento } from 'vscode';
import type { Messages } from '../platform/messages';
import type { Action } from '../platform/userError';
import { window } from '../platform/window';

/** How often a message says that a file was imported, before the status bar alone does. */
const FIRST_IMPORTS = 3;
const FIRST_IMPORTS_SAID = 'datasetImport.firstImportsSaid';

const STATUS_BAR_MS = 10_000;

/** Reports how imports and tasks ended: in messages, or only for a while in the status bar and in the log. */
export class Announcements {
  readonly #messages: Pick<Messages, 'done' | 'warn' | 'note'>;
  readonly #memory: Memento;

  /** `memory` is that of the user, in all windows. */
  constructor(messages: Pick<Messages, 'done' | 'warn' | 'note'>, memory: Memento) {
    this.#messages = messages;
    this.#memory = memory;
  }

  /** Says that a file was imported: in the status bar, and to a newcomer in a message with the buttons too. */
  async imported(text: string, ...actions: Action[]): Promise<void> {
    const said = this.#memory.get(FIRST_IMPORTS_SAID, 0);
    const isFirst = said < FIRST_IMPORTS;
    if (isFirst) await this.#memory.update(FIRST_IMPORTS_SAID, said + 1);
    const closed = isFirst ? this.#messages.done(text, ...actions) : undefined;
    this.inStatusBar(text);
    await closed;
  }

  /** Says how something ended that is no problem. */
  async done(text: string, ...actions: Action[]): Promise<void> {
    await this.#messages.done(text, ...actions);
  }

  /** Says what the user may have to do something about. */
  async problem(text: string, ...actions: Action[]): Promise<void> {
    await this.#messages.warn(text, ...actions);
  }

  /** Says how far something is whose end will have a message of its own. */
  inStatusBar(text: string): void {
    this.#messages.note(text);
    window.setStatusBarMessage(text, STATUS_BAR_MS);
  }
}
