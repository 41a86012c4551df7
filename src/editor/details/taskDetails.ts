import { Disposable, type DocumentLink, l10n, languages, type TextDocument, type Uri } from 'vscode';
import { StoreError } from '../../tasks/database/storeError';
import { destinationStates, whyWaits } from '../../tasks/serving/whyNotAsked';
import type { TrackedTask } from '../../tasks/trackedTask';
import type { GeneratedDocuments } from '../platform/documents';
import { formatStore } from '../platform/formatError';
import { listen } from '../platform/listen';
import { oneLine } from '../platform/outsideText';
import { type NextCommand, nextCommands, nextOfBatch } from '../rows/nextCommands';
import { taskLabel } from '../rows/taskItem';
import type { TasksNode } from '../rows/tasksNode';
import type { Services } from '../services/services';
import { Lull } from '../tree/lull';
import { formatBatch } from './formatBatch';
import { formatDetails } from './formatDetails';
import type { UpcomingCheck } from './formatTimeline';
import { nextStepLinks } from './nextSteps';
import { positionLinks } from './positionLinks';

/** Begins the address of a batch, before its id; that of a task is its key. */
const BATCH = 'batch ';

/** The details of tasks and batches, each a document that follows its task or batch while it is open. */
export class TaskDetails implements Disposable {
  readonly #services: Services;
  readonly #documents: GeneratedDocuments;
  readonly #subscriptions: Disposable;
  /** The batches whose details are to be redrawn, by the addresses of these: while they are imported, seldom. */
  readonly #batches = new Lull<string>({ quietMs: 200, longestMs: 2000 }, (changed) =>
    this.#documents.refresh(({ query }) => changed?.includes(query) === true),
  );

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
      this.#batches,
      languages.registerDocumentLinkProvider({ scheme: documents.scheme }, links),
      // A change of the list may take a task away or bring it back.
      listen(services.list.events, 'change', (change) =>
        change.kind === 'list' ? documents.refresh() : this.#refresh(change.tasks),
      ),
      listen(services.queue.events, 'pausesChanged', () => documents.refresh()),
      services.keys.onDidLearn(() => documents.refresh()),
      // The time of the next check is another one.
      listen(services.refresher.events, 'asked', ({ question }) => this.#refresh([question])),
    );
  }

  /** Opens the details of a task; the focus stays where it is. */
  async show(key: number): Promise<void> {
    const task = await this.#services.list.find(key);
    if (task !== undefined) await this.#open(taskLabel(task), String(key));
  }

  /** Opens the details of a batch; the focus stays where it is. */
  async showBatch(batchId: string): Promise<void> {
    const summary = await this.#services.list.history.batch(batchId);
    if (summary !== undefined) await this.#open(summary.batch.label, BATCH + batchId);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #open(label: string, query: string): Promise<void> {
    const name = oneLine(label).replaceAll(/[\\/]/g, '_');
    // package.json gives the documents of this folder their language.
    await this.#documents.show(`/task-details/${l10n.t('{0} (details)', name)}`, { query, preserveFocus: true });
  }

  #refresh(tasks: readonly (Pick<TrackedTask, 'key'> & Partial<Pick<TrackedTask, 'batch'>>)[]): void {
    const changed = new Set(tasks.map(({ key }) => String(key)));
    if (changed.size > 0) this.#documents.refresh(({ query }) => changed.has(query));
    this.#batches.add([...new Set(tasks.flatMap(({ batch }) => (batch ? [BATCH + batch.id] : [])))]);
  }

  async #text({ query }: Uri): Promise<string> {
    const { list } = this.#services;
    if (query.startsWith(BATCH)) return this.#textOfBatch(query.slice(BATCH.length));
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

  async #textOfBatch(batchId: string): Promise<string> {
    const { history } = this.#services.list;
    const [summary, runs] = await Promise.all([history.batch(batchId), history.runs(batchId)]);
    if (summary === undefined) return `${l10n.t('None of these files is in the list any more.')}\n`;
    return formatBatch(summary, runs, nextOfBatch(summary.counts));
  }

  async #links(document: TextDocument): Promise<DocumentLink[]> {
    const { row, commands, task } = await this.#nextOf(document.uri.query);
    const positions = task === undefined ? [] : positionLinks(document, task);
    return [...nextStepLinks(document, commands, row), ...positions];
  }

  async #nextOf(query: string): Promise<{
    readonly row: TasksNode;
    readonly commands: readonly NextCommand[];
    readonly task?: TrackedTask | undefined;
  }> {
    const { list } = this.#services;
    if (query.startsWith(BATCH)) {
      const batchId = query.slice(BATCH.length);
      return { row: { batchId }, commands: nextOfBatch((await list.history.batch(batchId))?.counts ?? []) };
    }
    const task = await list.find(Number(query));
    const commands = task === undefined ? [] : nextCommands(task, whyWaits(destinationStates(this.#services), task));
    return { row: { taskKey: Number(query) }, commands, task };
  }

  #nextCheck(task: TrackedTask): UpcomingCheck | undefined {
    const following = this.#services.follower.followingOf(task);
    if (following?.by !== 'thisWindow') return following;
    const { inMs, ...others } = following;
    return { ...others, atMs: this.#services.clock.now() + inMs };
  }
}
