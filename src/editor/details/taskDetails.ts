import { Disposable, type DocumentLink, l10n, languages, type TextDocument, type Uri } from 'vscode';
import type { Follower } from '../../tasks/following/follower';
import type { Refresher } from '../../tasks/following/refresher';
import { type Askable, whyNotAsked } from '../../tasks/following/whyNotAsked';
import type { TaskList } from '../../tasks/store/taskList';
import type { Clock } from '../../tasks/timing/clock';
import type { TrackedTask } from '../../tasks/trackedTask';
import type { GeneratedDocuments } from '../platform/documents';
import { formatTime } from '../platform/formatNumbers';
import { listen } from '../platform/listen';
import { oneLine } from '../platform/outsideText';
import { type NextCommand, nextCommands } from '../tree/rows/nextCommands';
import { taskLabel } from '../tree/rows/taskItem';
import { formatDetails } from './formatDetails';
import { nextStepLinks } from './nextSteps';

export interface TaskDetailsDeps extends Askable {
  readonly list: TaskList;
  readonly follower: Pick<Follower, 'followingOf'>;
  readonly refresher: Pick<Refresher, 'events'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The details of tasks, each a document that follows its task while it is open, and comes back after a reload. */
export class TaskDetails implements Disposable {
  readonly #deps: TaskDetailsDeps;
  readonly #documents: GeneratedDocuments;
  readonly #subscriptions: Disposable;

  constructor(deps: TaskDetailsDeps, documents: GeneratedDocuments) {
    this.#deps = deps;
    this.#documents = documents;
    documents.provide((uri) => this.#text(uri));
    const links = { provideDocumentLinks: (document: TextDocument) => this.#links(document) };
    this.#subscriptions = Disposable.from(
      languages.registerDocumentLinkProvider({ scheme: documents.scheme }, links),
      listen(deps.list.events, 'change', (change) =>
        this.#refresh(change.kind === 'list' ? change.removed : change.tasks.map(({ key }) => key)),
      ),
      // The time of the next check is another one.
      listen(deps.refresher.events, 'asked', ({ question }) => this.#refresh([question.key])),
    );
  }

  /** Opens the details of a task; the focus stays where it is. */
  async show(key: number): Promise<void> {
    const task = await this.#deps.list.find(key);
    if (task === undefined) return;
    const name = oneLine(taskLabel(task)).replaceAll(/[\\/]/g, '_');
    await this.#documents.show(`/${name}.md`, { query: String(key), preserveFocus: true });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #refresh(keys: readonly number[]): void {
    const changed = new Set(keys);
    if (changed.size > 0) this.#documents.refresh(({ query }) => changed.has(Number(query)));
  }

  async #text({ query }: Uri): Promise<string> {
    const { list } = this.#deps;
    const task = await list.find(Number(query));
    if (task === undefined) return `${l10n.t('This task is no longer in the list.')}\n`;
    const [timeline, responses] = await Promise.all([
      list.history.timeline(task.key),
      list.history.responses(task.key),
    ]);
    const nextCheck = this.#nextCheck(task);
    return formatDetails({ task, timeline, responses, nextCheck, nextCommands: this.#nextCommands(task) });
  }

  async #links(document: TextDocument): Promise<DocumentLink[]> {
    const task = await this.#deps.list.find(Number(document.uri.query));
    return task === undefined ? [] : nextStepLinks(document, this.#nextCommands(task), task.key);
  }

  #nextCommands(task: TrackedTask): readonly NextCommand[] {
    return nextCommands(task, whyNotAsked(this.#deps, task));
  }

  #nextCheck(task: TrackedTask): string | undefined {
    const following = this.#deps.follower.followingOf(task);
    if (following === undefined) return undefined;
    if (following.by === 'otherWindow') return l10n.t('Another window checks the status.');
    const time = formatTime(this.#deps.clock.now() + following.inMs);
    return following.isLatest
      ? l10n.t('The next status check is at {0} at the latest.', time)
      : l10n.t('The next status check is at {0}.', time);
  }
}
