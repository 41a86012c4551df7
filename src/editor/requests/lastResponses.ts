import { type Disposable, l10n, type Uri } from 'vscode';
import { parseJson, stringifyJson } from '../../service/json/json';
import type { TaskList } from '../../tasks/store/taskList';
import type { GeneratedDocuments } from '../platform/documents';
import { listen } from '../platform/listen';
import { oneLine } from '../platform/outsideText';
import { taskLabel } from '../tree/taskItem';

/** The last responses of services as JSON documents, with exact numbers and masked access keys. */
export class LastResponses implements Disposable {
  readonly #list: TaskList;
  readonly #documents: GeneratedDocuments;
  readonly #subscription: Disposable;
  /** The responses last shown, by the keys of their tasks. */
  readonly #shown = new Map<number, string | undefined>();

  constructor(list: TaskList, documents: GeneratedDocuments) {
    this.#list = list;
    this.#documents = documents;
    documents.provide((uri) => this.#text(uri));
    this.#subscription = listen(list.events, 'change', () => this.#refresh());
  }

  /** Opens the last response about a task. The document is updated while it is open. */
  async show(key: number): Promise<void> {
    const task = this.#list.get(key);
    if (task === undefined) return;
    const name = oneLine(taskLabel(task)).replaceAll(/[\\/]/g, '_');
    await this.#documents.show(`/${name} (${l10n.t('last answer')}).json`, String(key));
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #refresh(): void {
    this.#documents.refresh(({ query }) => {
      const key = Number(query);
      return this.#shown.has(key) && this.#shown.get(key) !== this.#list.get(key)?.lastResponse;
    });
  }

  /** VS Code may restore the document before the task list is loaded. */
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
