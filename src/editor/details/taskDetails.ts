import { Disposable, type DocumentLink, l10n, languages, type TextDocument, type Uri } from 'vscode';
import { StoreError } from '../../tasks/database/storeError';
import { destinationStates, whyWaits } from '../../tasks/serving/whyNotAsked';
import type { TrackedTask } from '../../tasks/trackedTask';
import type { GeneratedDocuments } from '../platform/documents';
import { formatStore } from '../platform/formatError';
import { listen } from '../platform/listen';
import { oneLine } from '../platform/outsideText';
import { nextCommands } from '../rows/nextCommands';
import { taskLabel } from '../rows/taskItem';
import type { Services } from '../services/services';
import { formatDetails } from './formatDetails';
import type { UpcomingCheck } from './formatTimeline';
import { nextStepLinks } from './nextSteps';

/** The details of tasks, each a document that follows its task while it is open. */
export class TaskDetails implements Disposable {
  readonly #services: Services;
  readonly #documents: GeneratedDocuments;
  readonly #subscriptions: Disposable;

  constructor(services: Services, documents: GeneratedDocuments) {
    this.#services = services;
    this.#documents = documents;
    documents.provide((uri) =>
      this.#text(uri).catch((error: unknown) => {
        if (error instanceof StoreError) return `${formatStore(error)}\n`;
        throw error;
      }),
    );
    const links = { provideDocumentLinks: (document: TextDocument) => this.#links(document) };
    this.#subscriptions = Disposable.from(
      languages.registerDocumentLinkProvider({ scheme: documents.scheme }, links),
      // A change of the list may take a task away or bring it back.
      listen(services.list.events, 'change', (change) =>
        change.kind === 'list' ? documents.refresh() : this.#refresh(change.tasks.map(({ key }) => key)),
      ),
      listen(services.queue.events, 'pausesChanged', () => documents.refresh()),
      // The time of the next check is another one.
      listen(services.refresher.events, 'asked', ({ question }) => this.#refresh([question.key])),
    );
  }

  /** Opens the details of a task; the focus stays where it is. */
  async show(key: number): Promise<void> {
    const task = await this.#services.list.find(key);
    if (task === undefined) return;
    const name = oneLine(taskLabel(task)).replaceAll(/[\\/]/g, '_');
    // package.json gives the documents of this folder their language.
    const path = `/task-details/${l10n.t('{0} (details)', name)}`;
    await this.#documents.show(path, { query: String(key), preserveFocus: true });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #refresh(keys: readonly number[]): void {
    const changed = new Set(keys);
    if (changed.size > 0) this.#documents.refresh(({ query }) => changed.has(Number(query)));
  }

  async #text({ query }: Uri): Promise<string> {
    const { list } = this.#services;
    const task = await list.find(Number(query));
    if (task === undefined) return `${l10n.t('This task is no longer in the list.')}\n`;
    const [timeline, responses] = await Promise.all([
      list.history.timeline(task.key),
      list.history.responses(task.key),
    ]);
    const why = whyWaits(destinationStates(this.#services), task);
    const nextCheck = this.#nextCheck(task);
    return formatDetails({ task, why, timeline, responses, nextCheck, nextCommands: nextCommands(task, why) });
  }

  async #links(document: TextDocument): Promise<DocumentLink[]> {
    const task = await this.#services.list.find(Number(document.uri.query));
    if (task === undefined) return [];
    return nextStepLinks(document, nextCommands(task, whyWaits(destinationStates(this.#services), task)), task.key);
  }

  #nextCheck(task: TrackedTask): UpcomingCheck | undefined {
    const following = this.#services.follower.followingOf(task);
    if (following?.by !== 'thisWindow') return following;
    const { inMs, ...others } = following;
    return { ...others, atMs: this.#services.clock.now() + inMs };
  }
}
