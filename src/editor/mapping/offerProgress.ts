import { type Disposable, l10n } from 'vscode';
import { treeOf } from '../../service/json/jsonText';
import { GrowingValues, type GrownValue } from '../../service/proposing/growingValues';
import { ownTaskOf } from '../../tasks/following/keptResponses';
import type { AskedQuestion } from '../../tasks/following/refresher';
import type { Question } from '../../tasks/following/schedule';
import { asSingle } from '../../tasks/severalTasks';
import { isUnfinished, type TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatList } from '../language/formatLists';
import { formatPlace } from '../platform/formatField';
import { listen } from '../platform/listen';
import { shortText } from '../platform/outsideText';
import { showResponseAction } from '../requests/showLastResponse';
import { sayNothingToChoose } from '../tree/pickTaskFor';
import type { MappingServices } from './mapResponses';
import { contractOf } from './offerStatus';

/** Max values named in a message. */
const VALUES_NAMED = 3;

/** The responses about one task of a dataset. */
interface Watched {
  readonly question: Question;
  readonly values: GrowingValues;
}

/**
 * Offers, once per dataset and window, a value as the progress where none is recognized and the value grows from response
 * to response of a task as progress does. One task of a dataset is watched at a time.
 */
export class ProgressOffers implements Disposable {
  readonly #services: MappingServices;
  readonly #subscription: Disposable;
  /** By dataset. */
  readonly #watched = new Map<string, Watched>();
  readonly #offered = new Set<string>();

  constructor(services: MappingServices) {
    this.#services = services;
    this.#subscription = listen(services.refresher.events, 'asked', (asked) => this.#look(asked));
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #look({ question, outcome }: AskedQuestion): void {
    const known = this.#services.list.get(question.key);
    if (known === undefined || outcome.kind !== 'accepted' || this.#offered.has(known.dataset)) return;
    const task = asSingle(known, question.taskId);
    const contract = contractOf(this.#services, task);
    const report = task.phase.kind === 'accepted' ? task.phase.report : undefined;
    if (contract === undefined || contract.queryTask.progress !== undefined || report?.progress !== undefined) return;
    const data = treeOf(outcome.response.envelope['data'] ?? null);
    const grown = this.#valuesOf(task.dataset, question)?.take({ data, ownTask: ownTaskOf(task, contract) });
    if (grown === undefined || grown.pointer === report?.from.status?.pointer) return;
    this.#offered.add(task.dataset);
    this.#watched.delete(task.dataset);
    void this.#offer(known, grown);
  }

  /** Those of the task, where it is the one that is watched; the next one is, once that has ended or is gone. */
  #valuesOf(dataset: string, question: Question): GrowingValues | undefined {
    const watched = this.#watched.get(dataset);
    if (watched?.question.key === question.key && watched.question.taskId === question.taskId) return watched.values;
    if (watched !== undefined && this.#isUnfinished(watched.question)) return undefined;
    const values = new GrowingValues();
    this.#watched.set(dataset, { question, values });
    return values;
  }

  #isUnfinished({ key, taskId }: Question): boolean {
    const task = this.#services.list.get(key);
    return task !== undefined && isUnfinished(asSingle(task, taskId));
  }

  #offer(task: TrackedTask, { pointer, texts }: GrownValue): Promise<void> {
    const message = l10n.t(
      "No progress was recognized in the responses of {0}, but '{1}' grows: {2}. Is it the progress?",
      ...[task.dataset, shortText(formatPlace(pointer)), formatList(texts.slice(-VALUES_NAMED))],
    );
    const use = () => {
      const dataset = datasetAt(this.#services, task);
      if (this.#services.mapping.pointer(dataset, 'progress') !== undefined)
        return sayNothingToChoose(this.#services, task);
      return this.#services.mapping.setPointer(dataset, 'progress', pointer, task.key);
    };
    const { messages, responses } = this.#services;
    return messages.done(
      message,
      { label: l10n.t('Use as Progress'), run: use },
      showResponseAction(responses, task.key),
    );
  }
}
