import {
  CodeLens,
  type Command,
  Disposable,
  EventEmitter,
  l10n,
  languages,
  Range,
  type TextDocument,
  type Uri,
} from 'vscode';
import { StoreError } from '../../tasks/database/storeError';
import { destinationStates, whyWaits } from '../../tasks/serving/whyNotAsked';
import type { TrackedTask } from '../../tasks/trackedTask';
import type { GeneratedDocuments } from '../platform/documents';
import { formatStore } from '../platform/formatError';
import { listen } from '../platform/listen';
import { documentPath } from '../platform/outsideText';
import type { Services } from '../services/services';
import { formatNext, type NextCommand, nextCommands } from '../taskItems/nextCommands';
import { taskLabel } from '../taskItems/taskItem';
import { formatDetails } from './formatDetails';
import type { UpcomingCheck } from './formatTimeline';
import { positionLinks } from './positionLinks';

/** The details of tasks, each a document that follows its task while it is open. Its address is the task's key. */
export class TaskDetails implements Disposable {
  readonly #services: Services;
  readonly #documents: GeneratedDocuments;
  readonly #stepsChanged = new EventEmitter<void>();
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
    this.#subscriptions = Disposable.from(
      this.#stepsChanged,
      languages.registerDocumentLinkProvider(
        { scheme: documents.scheme },
        {
          provideDocumentLinks: async (document) => {
            const task = await services.list.find(keyOf(document));
            return task && positionLinks(document, task);
          },
        },
      ),
      languages.registerCodeLensProvider(
        { scheme: documents.scheme },
        {
          onDidChangeCodeLenses: this.#stepsChanged.event,
          provideCodeLenses: async (document) => stepLenses(document, await this.#steps(document)),
        },
      ),
      // A change of the list may take a task away or bring it back.
      listen(services.list.events, 'change', (change) =>
        change.kind === 'list' ? documents.refresh() : this.#refresh(change.tasks),
      ),
      listen(services.queue.events, 'pausesChanged', () => documents.refresh()),
      services.keys.onDidLearn(() => documents.refresh()),
      // The time of the next check is another one.
      listen(services.refresher.events, 'checked', ({ row }) => this.#refresh([{ key: row }])),
    );
  }

  /** Opens the details of a task; the focus stays where it is. */
  async show(key: number): Promise<void> {
    const task = await this.#services.list.find(key);
    if (task === undefined) return;
    // package.json gives the documents of this folder their language.
    const path = documentPath(l10n.t('{0} (details)', taskLabel(task)), '/task-details/');
    await this.#documents.show(path, { query: String(key), preserveFocus: true });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #refresh(tasks: readonly Pick<TrackedTask, 'key'>[]): void {
    const changed = new Set(tasks.map(({ key }) => String(key)));
    if (changed.size > 0) this.#documents.refresh(({ query }) => changed.has(query));
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
    this.#stepsChanged.fire();
    return formatDetails({ task, nowMs: this.#services.clock.now(), why, timeline, responses, nextCheck });
  }

  async #steps(document: TextDocument): Promise<Command[]> {
    const task = await this.#services.list.find(keyOf(document));
    if (task === undefined) return [];
    const steps = nextCommands(task, whyWaits(destinationStates(this.#services), task));
    return steps.map((step) => commandOf(step, formatNext(step), { taskKey: task.key }));
  }

  #nextCheck(task: TrackedTask): UpcomingCheck | undefined {
    const following = this.#services.follower.followingOf(task);
    if (following?.by !== 'thisWindow') return following;
    const { inMs, ...others } = following;
    return { ...others, atMs: this.#services.clock.now() + inMs };
  }
}

/** The key of the task whose details a document has. */
function keyOf({ uri }: TextDocument): number {
  return Number(uri.query);
}

/** The next steps as links below the header, before the first empty line. */
function stepLenses(document: TextDocument, steps: readonly Command[]): CodeLens[] {
  const line = document.getText().split('\n').indexOf('');
  return steps.map((step) => new CodeLens(new Range(line, 0, line, 0), step));
}

function commandOf(step: NextCommand, title: string, target: object): Command {
  return { command: `datasetImport.${step}`, title, arguments: [target] };
}
