import { commands, type Memento } from 'vscode';

const SHOWN = 'datasetImport.firstImportShown';

/** Opens the view Tasks with a user's first import, so that they know from then on where imports are followed. */
export class FirstImport {
  readonly #memory: Memento;

  /** `memory` is that of the user, in all windows. */
  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** The focus stays where it is: the user may go on typing. */
  async show(): Promise<void> {
    if (this.#memory.get(SHOWN, false)) return;
    await this.#memory.update(SHOWN, true);
    await commands.executeCommand('datasetImport.tasks.focus', { preserveFocus: true });
  }
}
