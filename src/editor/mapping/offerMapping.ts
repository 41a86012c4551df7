import { type Disposable, l10n } from 'vscode';
import type { Contract, KnownMeaning } from '../../service/contract/contract';
import { taskIdText } from '../../service/json/taskId';
import { proposedStates } from '../../service/response/proposedStates';
import { allLeaves, type Leaf } from '../../service/response/responseLeaves';
import { statusLooks, statusLooksOf } from '../../service/response/statusLooks';
import { statusMeaning } from '../../service/response/statusMeaning';
import { isSameDestination } from '../../tasks/destination';
import { ourTaskOf, responseData } from '../../tasks/following/rereadResponses';
import { whyNotAsked } from '../../tasks/following/whyNotAsked';
import { shownTask, unlistedId } from '../../tasks/severalTasks';
import type { Clock } from '../../tasks/timing/clock';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { enterAccessKey } from '../accessKeys/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import { attachTo } from '../following/attachTaskId';
import type { RefreshDeps } from '../following/refreshTask';
import { formatMeaning } from '../platform/formatField';
import { formatRefusal } from '../platform/formatOutcome';
import { listen } from '../platform/listen';
import type { Messages } from '../platform/messages';
import { shortText } from '../platform/outsideText';
import { editRequestAction } from '../requests/editRequest';
import type { LastResponses } from '../requests/lastResponses';
import { readRejection } from '../requests/rejection';
import { showResponseAction } from '../requests/showLastResponse';
import { helpAction, sayNothingToChoose } from '../tree/pickTaskFor';
import { taskLabel } from '../tree/taskItem';
import { type HelpCommand, neededCommands, statusOf } from '../tree/taskNeeds';
import { chooseFieldAction, chooseMeanings, type MapDeps, tellStateAction } from './mapResponses';
import { seenOfEach, unknownStatuses } from './seenStatuses';

/** Max statuses named in a message. */
const STATUSES_NAMED = 3;

/** After so long VS Code has moved a message to the bell, where it may stay for ever. */
const SHOWN_MS = 15_000;

export type OfferDeps = MapDeps &
  RefreshDeps & {
    readonly messages: Messages;
    readonly responses: LastResponses;
    readonly clock: Clock;
  };

/** What was asked about the statuses of a dataset. */
class AskedStatuses {
  /** Those that came to notice. */
  readonly noticed = new Set<string>();
  /** Those that a message was shown for. */
  readonly asked = new Set<string>();
  /** When the latest message was shown, by the clock's `monotonicMs`; undefined once it is closed. */
  askedMs: number | undefined;
}

/** A message about a dataset, shown once in a window. */
interface Offer {
  readonly about: string;
  /** Whether it would help, where that takes a look at the response. */
  readonly isWanted?: () => Promise<boolean>;
  readonly show: () => Promise<void>;
}

/**
 * Asks, once per dataset and window, for what tasks need: what unknown statuses mean, what tells the state, where the
 * reason of a failure is, and how rejected queries are fixed.
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

  #offer(task: TrackedTask): void {
    for (const offer of this.#offersFor(task)) {
      const key = offerKey(task, offer.about);
      if (this.#offered.has(key)) continue;
      this.#offered.add(key);
      void this.#make(offer, key);
    }
  }

  async #make({ isWanted, show }: Offer, key: string): Promise<void> {
    if (isWanted === undefined || (await isWanted())) await show();
    else this.#offered.delete(key);
  }

  #offersFor(task: TrackedTask): Offer[] {
    const { phase, lastQueryError } = task;
    if (phase.kind !== 'accepted') return [];
    const needed = neededCommands(task, whyNotAsked(this.#deps, task));
    if (lastQueryError?.kind === 'rejected') {
      const message = formatRejected(task, formatRefusal(lastQueryError.refusal));
      if (needed.includes('replaceAccessKey')) return [{ about: 'key', show: () => this.#offerKey(task, message) }];
      const isNew = needed.includes('editRequest') && phase.report === undefined;
      return isNew ? [{ about: 'query', show: () => this.#offerEdit(task, message, needed) }] : [];
    }
    const ofStatuses = needed.includes('chooseStatusMeaning') ? this.#offerForStatuses(task) : undefined;
    return [
      ...(needed.includes('chooseMessage')
        ? [
            {
              about: 'message',
              isWanted: () => this.#couldTellMessage(task),
              show: () => this.#offerMessage(task),
            },
          ]
        : []),
      ...(ofStatuses === undefined ? [] : [ofStatuses]),
      ...(needed.includes('chooseStatus')
        ? [{ about: 'status', show: () => this.#offerStatus(task, formatNoStatus(task)) }]
        : []),
    ];
  }

  /** A new status is asked about at once, unless another one is: the table of that one has them all. */
  #offerForStatuses(task: TrackedTask): Offer | undefined {
    const statuses = this.#statusesOf(task);
    const unasked = unknownStatuses([task]).filter((status) => !statuses.asked.has(status));
    const [first] = unasked;
    if (first === undefined) return undefined;
    const isNew = unasked.some((status) => !statuses.noticed.has(status));
    for (const status of unasked) statuses.noticed.add(status);
    const seen = isNew ? seenOfEach(this.#tasksLike(task).toReversed()) : [];
    if (statusLooksOf(seen) === 'measurement') {
      const values = seen.flat().slice(-STATUSES_NAMED).map(shortText).join(', ');
      const message = l10n.t(
        "The status that {0} reports for '{1}' looks like a measurement: {2}. Is the status elsewhere in the response?",
        ...[task.dataset, taskLabel(task), values],
      );
      return {
        about: 'measurement',
        show: () => this.#offerStatus(task, message, (each) => taskState(each) === 'unknown'),
      };
    }
    const { askedMs } = statuses;
    const isShown = askedMs !== undefined && this.#deps.clock.monotonicMs() - askedMs < SHOWN_MS;
    return isShown ? undefined : { about: `status ${first}`, show: () => this.#offerMeanings(task) };
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
    const { messages, responses } = this.#deps;
    const replace = helpAction(this.#deps, 'replaceAccessKey', task, async () => {
      // The new key may be rejected too.
      if ((await enterAccessKey(this.#deps, datasetAt(this.#deps, task))) !== undefined)
        this.#offered.delete(offerKey(task, 'key'));
    });
    return messages.warn(message, replace, showResponseAction(responses, task.key));
  }

  #offerEdit(task: TrackedTask, message: string, needed: readonly HelpCommand[]): Promise<void> {
    const { messages, responses } = this.#deps;
    const edit = helpAction(this.#deps, 'editRequest', task, (needing) => {
      const dataset = () => datasetAt(this.#deps, needing);
      return editRequestAction(this.#deps, dataset, undefined, () => readRejection(this.#deps.list, needing)).run();
    });
    const id = needed.includes('chooseTaskId')
      ? chooseFieldAction(this.#deps, 'taskId', task)
      : helpAction(this.#deps, 'attachTaskId', task, (needing) => attachTo(this.#deps, needing));
    return messages.warn(message, edit, id, showResponseAction(responses, task.key));
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
      const askedMs = this.#deps.clock.monotonicMs();
      statuses.askedMs = askedMs;
      await this.#askMeanings(task, unknown);
      if (statuses.askedMs === askedMs) statuses.askedMs = undefined;
    }
  }

  #askMeanings(task: TrackedTask, unknown: readonly string[]): Promise<void> {
    const { messages } = this.#deps;
    const [status = '', ...others] = unknown;
    const about = this.#tasksLike(task).find((each) => unknownStatuses([each]).includes(status)) ?? task;
    const showAll = helpAction(this.#deps, 'chooseStatusMeaning', about, (needing) => {
      for (const each of unknownStatuses(this.#tasksLike(task))) this.#statusesOf(task).asked.add(each);
      return chooseMeanings(this.#deps, datasetAt(this.#deps, needing), needing);
    });
    if (others.length > 0) {
      const names = unknown.slice(0, STATUSES_NAMED).map((each) => `'${shortText(each)}'`);
      const listed = [...names, ...(unknown.length > STATUSES_NAMED ? ['…'] : [])].join(', ');
      const message = l10n.t('{0} reports statuses that are not recognized: {1}', task.dataset, listed);
      return messages.done(message, showAll);
    }
    const place = this.#contractOf(task)?.queryTask.status;
    const meanings = (['running', 'succeeded', 'failed'] as const).map((meaning) => ({
      label: formatMeaning(meaning),
      run: () => this.#setMeaning(about, status, meaning, place),
    }));
    const message = l10n.t(
      "{0} reports status '{1}' for '{2}'. What does it mean?",
      ...[task.dataset, shortText(status), taskLabel(about)],
    );
    // A longer label would leave no room for the others.
    return messages.done(message, ...meanings, { label: l10n.t('All Statuses…'), run: showAll.run });
  }

  /** Nothing is changed where the status has got a meaning since it was asked, or is read elsewhere. */
  async #setMeaning(
    task: TrackedTask,
    status: string,
    meaning: KnownMeaning,
    askedPlace: string | undefined,
  ): Promise<void> {
    const dataset = datasetAt(this.#deps, task);
    const { states, statusMeanings, status: place } = dataset.contract.queryTask;
    const isAsked = states.length === 0 && place === askedPlace && statusMeaning(status, statusMeanings) === 'unknown';
    if (isAsked) await this.#deps.mapping.setMeaning(dataset, status, meaning, task.key);
    else sayNothingToChoose(this.#deps, task);
  }

  /** Whether the response has a text that could be the message, and no place was chosen for it. */
  async #couldTellMessage(task: TrackedTask): Promise<boolean> {
    if (this.#contractOf(task)?.queryTask.message !== undefined) return false;
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
    const contract = this.#contractOf(task);
    if (response === undefined || contract === undefined) return [];
    return allLeaves(responseData(response), ourTaskOf(task, contract));
  }

  #contractOf({ dataset }: TrackedTask): Contract | undefined {
    return this.#deps.datasets.find(dataset)?.contract;
  }

  #offerMessage(task: TrackedTask): Promise<void> {
    const { messages, responses } = this.#deps;
    const message = l10n.t(
      "{0} reports that '{1}' failed. No message was recognized in the response.",
      ...[task.dataset, taskLabel(task)],
    );
    const choose = chooseFieldAction(this.#deps, 'message', task);
    return messages.warn(message, choose, showResponseAction(responses, task.key));
  }

  async #offerStatus(task: TrackedTask, message: string, needs?: (task: TrackedTask) => boolean): Promise<void> {
    const { messages, responses } = this.#deps;
    const tell = tellStateAction(this.#deps, task, needs);
    const choose = chooseFieldAction(this.#deps, 'status', task, needs);
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
        "The response for '{0}' lists several tasks, and none of them is known to be '{1}'.",
        taskLabel(task),
        shortText(taskIdText(taskId)),
      )
    : l10n.t("No status was recognized in the response for '{0}'.", taskLabel(task));
}

function formatRejected(task: TrackedTask, refusal: string): string {
  return l10n.t("'{0}' rejected the status check of '{1}': {2}", task.dataset, taskLabel(task), refusal);
}
