import { type Disposable, l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { proposedStates } from '../../service/response/proposedStates';
import { allLeaves, type Leaf } from '../../service/response/responseLeaves';
import { statusLooks, statusLooksOf } from '../../service/response/statusLooks';
import { isSameDestination } from '../../tasks/destination';
import { ourTaskOf, responseData } from '../../tasks/following/rereadResponses';
import { shownTask, unlistedId } from '../../tasks/severalTasks';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { replaceAccessKey } from '../accessKeys/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import { formatMeaning } from '../platform/formatField';
import { formatRefusal } from '../platform/formatOutcome';
import { listen } from '../platform/listen';
import type { Messages } from '../platform/messages';
import { shortText } from '../platform/outsideText';
import { editRequestAction } from '../requests/editRequest';
import type { LastResponses } from '../requests/lastResponses';
import { readRejection } from '../requests/rejection';
import { showResponseAction } from '../requests/showLastResponse';
import { lacksMessage, taskLabel } from '../tree/taskItem';
import { chooseFieldAction, chooseMeanings, type MapDeps, tellStateAction } from './mapResponses';
import { seenOfEach, statusOf, unknownStatuses } from './seenStatuses';

/** Max statuses named in a message. */
const STATUSES_NAMED = 3;

interface Offer {
  /** It is made once for each of these. */
  readonly about: string;
  /** Whether it would help, where that takes a look at the response. */
  isWanted?(): Promise<boolean>;
  show(): Promise<void>;
}

export type OfferDeps = MapDeps & { readonly messages: Messages; readonly responses: LastResponses };

/** What was asked about the statuses of a dataset. */
class AskedStatuses {
  /** Those that came to notice. */
  readonly noticed = new Set<string>();
  /** Those that a message was shown for. */
  readonly asked = new Set<string>();
  /** Whether the message still shows. */
  isAsking = false;
}

/**
 * Asks, once per dataset and window, what unknown statuses mean, what tells the state, and where the reason of a failure
 * is, and offers to fix rejected queries.
 */
export class OfferMapping implements Disposable {
  readonly #deps: OfferDeps;
  readonly #subscription: Disposable;
  readonly #offered = new Set<string>();
  /** By dataset. */
  readonly #statuses = new Map<string, AskedStatuses>();

  constructor(deps: OfferDeps) {
    this.#deps = deps;
    this.#subscription = listen(deps.list.events, 'change', (change) => {
      if (change.kind === 'tasks') for (const task of change.tasks) void this.#offer(task);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #offer(task: TrackedTask): Promise<void> {
    const offer = this.#offerFor(task);
    if (offer === undefined) return;
    const key = offerKey(task, offer.about);
    if (this.#offered.has(key)) return;
    this.#offered.add(key);
    if (offer.isWanted === undefined || (await offer.isWanted())) await offer.show();
    else this.#offered.delete(key);
  }

  #offerFor(task: TrackedTask): Offer | undefined {
    const { phase, lastQueryError } = task;
    if (phase.kind !== 'accepted') return undefined;
    if (lastQueryError?.kind === 'rejected') {
      const message = formatRejected(task, formatRefusal(lastQueryError.refusal));
      if (lastQueryError.badKey) return { about: 'key', show: () => this.#offerKey(task, message) };
      return phase.report ? undefined : { about: 'query', show: () => this.#offerEdit(task, message) };
    }
    if (lacksMessage(task))
      return {
        about: 'message',
        isWanted: () => this.#couldTellMessage(task),
        show: () => this.#offerMessage(task),
      };
    if (taskState(task) !== 'unknown') return undefined;
    const status = phase.report?.status;
    if (status !== undefined) return this.#offerForStatus(task, status);
    return { about: 'status', show: () => this.#offerStatus(task, formatNoStatus(task)) };
  }

  /** A new status is asked about at once, unless another one is: the table of that one has them all. */
  #offerForStatus(task: TrackedTask, status: string): Offer | undefined {
    const statuses = this.#statusesOf(task);
    if (statuses.noticed.has(status)) return undefined;
    statuses.noticed.add(status);
    const seen = seenOfEach(this.#tasksLike(task).toReversed());
    if (statusLooksOf(seen) === 'measurement') {
      const values = seen.flat().slice(-STATUSES_NAMED).map(shortText).join(', ');
      const message = l10n.t(
        "What {0} reports as the status of '{1}' looks like a measurement: {2}. Is the status elsewhere?",
        ...[task.dataset, taskLabel(task), values],
      );
      return { about: 'measurement', show: () => this.#offerStatus(task, message) };
    }
    return statuses.isAsking ? undefined : { about: `status ${status}`, show: () => this.#offerMeanings(task) };
  }

  /** Those of the same destination that this window holds: a task of an unknown status is unfinished. */
  #tasksLike(task: TrackedTask): TrackedTask[] {
    return this.#deps.list.held.filter((other) => isSameDestination(other, task));
  }

  #statusesOf({ dataset }: TrackedTask): AskedStatuses {
    const statuses = this.#statuses.get(dataset) ?? new AskedStatuses();
    this.#statuses.set(dataset, statuses);
    return statuses;
  }

  #offerKey(task: TrackedTask, message: string): Promise<void> {
    const { datasets, keys, messages, responses } = this.#deps;
    const replace = replaceAccessKey(
      keys,
      () => datasets.find(task.dataset),
      // The new key may be rejected too.
      () => this.#offered.delete(offerKey(task, 'key')),
    );
    return messages.warn(message, replace, showResponseAction(responses, task.key));
  }

  #offerEdit(task: TrackedTask, message: string): Promise<void> {
    const { messages, responses } = this.#deps;
    const dataset = () => datasetAt(this.#deps, task);
    const edit = editRequestAction(this.#deps, dataset, undefined, () => readRejection(this.#deps.list, task));
    return messages.warn(message, edit, showResponseAction(responses, task.key));
  }

  /** Asks about all unknown statuses of a dataset that were not asked about yet, and then about those that came meanwhile. */
  async #offerMeanings(task: TrackedTask): Promise<void> {
    const statuses = this.#statusesOf(task);
    const fresh = () =>
      this.#offered.has(offerKey(task, 'measurement'))
        ? []
        : unknownStatuses(this.#tasksLike(task)).filter((status) => !statuses.asked.has(status));
    for (let unknown = fresh(); unknown.length > 0; unknown = fresh()) {
      for (const status of unknown) statuses.asked.add(status);
      statuses.isAsking = true;
      await this.#askMeanings(task, unknown);
      statuses.isAsking = false;
    }
  }

  #askMeanings(task: TrackedTask, unknown: readonly string[]): Promise<void> {
    const { mapping, messages } = this.#deps;
    const [status = '', ...others] = unknown;
    const about = this.#tasksLike(task).find((each) => statusOf(each) === status) ?? task;
    const showAll = () => {
      const dataset = datasetAt(this.#deps, task);
      for (const each of unknownStatuses(this.#tasksLike(task))) this.#statusesOf(task).asked.add(each);
      return chooseMeanings(this.#deps, dataset, about);
    };
    if (others.length > 0) {
      const names = unknown.slice(0, STATUSES_NAMED).map((each) => `'${shortText(each)}'`);
      const listed = [...names, ...(unknown.length > STATUSES_NAMED ? ['…'] : [])].join(', ');
      const message = l10n.t('{0} reports statuses that are not recognized: {1}', task.dataset, listed);
      return messages.done(message, { label: l10n.t('What Do These Statuses Mean?'), run: showAll });
    }
    const meanings = (['running', 'succeeded', 'failed'] as const).map((meaning) => ({
      label: formatMeaning(meaning),
      run: () => mapping.setMeaning(datasetAt(this.#deps, task), status, meaning, about.key),
    }));
    const message = l10n.t(
      "{0} reports status '{1}' for '{2}'. What does it mean?",
      ...[task.dataset, shortText(status), taskLabel(about)],
    );
    // A longer label would leave no room for the others.
    return messages.done(message, ...meanings, { label: l10n.t('All Statuses…'), run: showAll });
  }

  /** Whether the response has a text that could be the message, and no place was chosen for it. */
  async #couldTellMessage(task: TrackedTask): Promise<boolean> {
    if (this.#deps.datasets.find(task.dataset)?.contract.queryTask.message !== undefined) return false;
    const shown = shownTask(task);
    const known = [statusOf(shown), shown.taskId && taskIdText(shown.taskId), task.source?.name];
    return (await this.#leavesOf(task)).some(
      ({ value, text }) =>
        typeof value === 'string' && text !== '' && !known.includes(text) && statusLooks([text]) === 'words',
    );
  }

  /** The values of the last report that may be the task's. */
  async #leavesOf(task: TrackedTask): Promise<Leaf[]> {
    const response = await this.#deps.mapping.responseOf('status', task);
    const contract = this.#deps.datasets.find(task.dataset)?.contract;
    if (response === undefined || contract === undefined) return [];
    return allLeaves(responseData(response), ourTaskOf(task, contract));
  }

  #offerMessage(task: TrackedTask): Promise<void> {
    const { messages, responses } = this.#deps;
    const message = l10n.t(
      "{0} reports that '{1}' failed. No message was recognized in the response.",
      ...[task.dataset, taskLabel(task)],
    );
    const choose = chooseFieldAction(this.#deps, 'message', task.key);
    return messages.warn(message, choose, showResponseAction(responses, task.key));
  }

  async #offerStatus(task: TrackedTask, message: string): Promise<void> {
    const { messages, responses } = this.#deps;
    const tell = tellStateAction(this.#deps, task.key);
    const choose = chooseFieldAction(this.#deps, 'status', task.key);
    const isLikelyTold = proposedStates(await this.#leavesOf(task)).length > 0;
    const first = isLikelyTold ? [tell, choose] : [choose, tell];
    await messages.done(message, ...first, showResponseAction(responses, task.key));
  }
}

function offerKey({ dataset }: TrackedTask, what: string): string {
  return JSON.stringify([dataset, what]);
}

function formatNoStatus(task: TrackedTask): string {
  const taskId = unlistedId(task);
  return taskId !== undefined
    ? l10n.t(
        "The response about '{0}' lists several tasks, and none of them is known to be '{1}'.",
        taskLabel(task),
        shortText(taskIdText(taskId)),
      )
    : l10n.t("No status was recognized in the response about '{0}'.", taskLabel(task));
}

function formatRejected(task: TrackedTask, refusal: string): string {
  return l10n.t("'{0}' rejected the query about '{1}': {2}", task.dataset, taskLabel(task), refusal);
}
