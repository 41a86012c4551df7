import { type Disposable, l10n, type Uri } from 'vscode';
import { shownResponse } from '../../service/response/keptResponse';
import type { ListChange, TaskList } from '../../tasks/store/taskList';
import type { GeneratedDocuments } from '../platform/documents';
import { listen } from '../platform/listen';
import { documentPath } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import { taskLabel } from '../taskItems/taskItem';
import type { TaskNode } from '../taskItems/tasksNode';
import { pickTask } from '../tree/pickTasks';

/** Which response about a task: to its import, or the last one of all. */
type WhichResponse = 'import' | 'last';

/** The responses of services as JSON documents, with exact numbers and masked access keys. */
export class LastResponses implements Disposable {
  readonly #list: TaskList;
  readonly #documents: GeneratedDocuments;
  readonly #subscription: Disposable;
  /** Responses that belong to no task, by the paths of their documents. */
  readonly #texts = new Map<string, string>();

  constructor(list: TaskList, documents: GeneratedDocuments) {
    this.#list = list;
    this.#documents = documents;
    documents.provide((uri) => this.#text(uri));
    this.#subscription = listen(list.events, 'change', (change) => this.#refresh(change));
  }

  /** Opens a response about a task. The document is updated while it is open. */
  async show(key: number, which: WhichResponse = 'last'): Promise<void> {
    const task = await this.#list.find(key);
    if (task === undefined) return;
    const label = taskLabel(task);
    const name =
      which === 'last' ? l10n.t('{0} (last response).json', label) : l10n.t('{0} (response to the import).json', label);
    await this.#documents.show(documentPath(name), { query: which === 'last' ? String(key) : `${key} ${which}` });
  }

  /** Opens a response that belongs to no task. */
  async showText(name: string, response: string): Promise<void> {
    const path = documentPath(`${name}.json`);
    this.#texts.set(path, response);
    await this.#documents.show(path);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #refresh(change: ListChange): void {
    const keys = change.kind === 'list' ? change.removed : change.tasks.map(({ key }) => key);
    const changed = new Set(keys);
    if (changed.size > 0)
      this.#documents.refresh(({ query }) => query !== '' && changed.has(Number.parseInt(query, 10)));
  }

  async #text({ path, query }: Uri): Promise<string> {
    if (query === '')
      return `${this.#texts.get(path) ?? l10n.t('This response to a connection test is no longer available. Run Test Connection to see a new one.')}\n`;
    const task = await this.#list.find(Number.parseInt(query, 10));
    const { importResponse, lastResponse } = task === undefined ? {} : await this.#list.history.responses(task.key);
    const response = query.endsWith(' import') ? importResponse : lastResponse;
    if (response !== undefined) return `${shownResponse(response)}\n`;
    return task === undefined
      ? `${l10n.t('This task was removed from the list, and its response with it.')}\n`
      : `${l10n.t('The service has not responded yet.')}\n`;
  }
}

/** Opens the last response about a task, or the one that its target asks for. */
export async function showLastResponse(
  services: Pick<Services, 'list' | 'picks'> & { readonly responses: LastResponses },
  target: CommandTarget<TaskNode>,
): Promise<void> {
  const task = await pickTask(services, target, ({ hasLastResponse }) => hasLastResponse);
  if (task !== undefined) await services.responses.show(task.key, whichOf(target.rows[0]));
}

function whichOf(row: TaskNode | undefined): WhichResponse {
  return (row as { readonly response?: unknown } | undefined)?.response === 'import' ? 'import' : 'last';
}

/** The button that opens the last response about a task. */
export function showResponseAction(responses: LastResponses, key: number): Action {
  return { label: l10n.t('Show Response'), run: () => responses.show(key) };
}
