import { type Disposable, l10n, type Uri } from 'vscode';
import { parseJson, stringifyJson } from '../../service/json/json';
import type { TaskList } from '../../tasks/store/taskList';
import { GeneratedDocuments } from '../platform/documents';
import { oneLine } from '../platform/outsideText';
import { taskLabel } from '../tree/taskItem';

/** The service's last responses as JSON documents: numbers to the digit, access keys masked when they were recorded. */
export class LastResponses implements Disposable {
  readonly #list: TaskList;
  readonly #documents: GeneratedDocuments;
  /** The responses as they were last shown, by the keys of their tasks. */
  readonly #shown = new Map<number, string | undefined>();

  constructor(list: TaskList) {
    this.#list = list;
    this.#documents = new GeneratedDocuments('dataset-import-answer', (uri) => this.#text(uri));
    list.events.on('change', this.#refresh);
  }

  /** Opens the last response about a task; it follows the task while it is open. */
  async show(key: number): Promise<void> {
    const task = this.#list.get(key);
    if (task === undefined) return;
    const name = oneLine(taskLabel(task)).replaceAll(/[\\/]/g, '_');
    await this.#documents.show(`/${name} (${l10n.t('last answer')}).json`, String(key));
  }

  dispose(): void {
    this.#list.events.off('change', this.#refresh);
    this.#documents.dispose();
  }

  readonly #refresh = () => {
    this.#documents.refresh(({ query }) => {
      const key = Number(query);
      return this.#shown.has(key) && this.#shown.get(key) !== this.#list.get(key)?.lastResponse;
    });
  };

  /** VS Code may have kept the document from a window before, so that its task is still to be read. */
  async #text({ query }: Uri): Promise<string> {
    await this.#list.loaded();
    const task = this.#list.get(Number(query));
    const response = task?.lastResponse;
    this.#shown.set(Number(query), response);
    if (response !== undefined) return `${stringifyJson(parseJson(response), 2)}\n`;
    return task === undefined
      ? `${l10n.t('This task is no longer tracked, and its answer is gone with it.')}\n`
      : `${l10n.t('The service has not answered yet.')}\n`;
  }
}
