import { type Disposable, l10n, type Uri } from 'vscode';
import { parseJson, stringifyJson } from '../service/json';
import type { TaskList } from '../tasks/taskList';
import { GeneratedDocuments } from './documents';
import { taskLabel } from './taskItem';

/** The service's last answers as JSON documents: numbers to the digit, access keys masked when they were recorded. */
export class LastAnswers implements Disposable {
  readonly #list: TaskList;
  readonly #documents: GeneratedDocuments;

  constructor(list: TaskList) {
    this.#list = list;
    this.#documents = new GeneratedDocuments('dataset-import-answer', (uri) => this.#text(uri));
    list.events.on('change', this.#refresh);
  }

  /** Opens the last answer about a task; it follows the task while it is open. */
  async show(key: number): Promise<void> {
    const task = this.#list.get(key);
    if (task === undefined) return;
    const name = taskLabel(task).replaceAll(/[\\/]/g, '_');
    await this.#documents.show(`/${name} (${l10n.t('last answer')}).json`, String(key));
  }

  dispose(): void {
    this.#list.events.off('change', this.#refresh);
    this.#documents.dispose();
  }

  readonly #refresh = () => this.#documents.refresh();

  #text({ query }: Uri): string {
    const answer = this.#list.get(Number(query))?.lastAnswer;
    return answer === undefined ? '' : `${stringifyJson(parseJson(answer), 2)}\n`;
  }
}
