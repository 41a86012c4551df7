import { type Disposable, l10n } from 'vscode';
import type { Contract, KnownMeaning } from '../../service/contract/contract';
import { plainName } from '../../service/places/usualNames';
import { proposedStates } from '../../service/response/proposedStates';
import { USUAL_NAMES } from '../../service/response/recognition';
import { allLeaves, type Leaf } from '../../service/response/responseLeaves';
import { statusLooksOf } from '../../service/response/statusLooks';
import { statusMeaning } from '../../service/response/statusMeaning';
import { isSameDestination } from '../../tasks/destination';
import { ourTaskOf, responseData } from '../../tasks/following/rereadResponses';
import { whyNotAsked } from '../../tasks/following/whyNotAsked';
import type { Clock } from '../../tasks/timing/clock';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatMeaning } from '../platform/formatField';
import type { Messages } from '../platform/messages';
import { shortText } from '../platform/outsideText';
import type { LastResponses } from '../requests/lastResponses';
import { showResponseAction } from '../requests/showLastResponse';
import { helpAction, sayNothingToChoose } from '../tree/pickTaskFor';
import { taskLabel } from '../tree/rows/taskItem';
import { neededCommands } from '../tree/rows/taskNeeds';
import { chooseFieldAction, chooseMeanings, type MapDeps, stateRulesAction } from './mapResponses';
import { seenOfEach, unknownStatuses } from './seenStatuses';

/** Max statuses named in a message. */
const STATUSES_NAMED = 3;

/** After so long VS Code has moved a message to the bell, where it may stay for ever. */
const SHOWN_MS = 15_000;

export type QuestionDeps = MapDeps & {
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
  /** The places, undefined for a recognized one, of which it was asked whether the status is elsewhere. */
  readonly doubtedPlaces = new Set<string | undefined>();
  /** Ends the time in which the latest message is in sight; undefined where none is. */
  cancelShown: (() => void) | undefined;
}

/**
 * Asks what the unknown statuses of each dataset mean, each status once in a window. One message is in sight at a time;
 * what has come meanwhile is asked about once it is closed or VS Code has hidden it.
 */
export class StatusQuestions implements Disposable {
  readonly #deps: QuestionDeps;
  /** By dataset. */
  readonly #datasets = new Map<string, AskedStatuses>();

  constructor(deps: QuestionDeps) {
    this.#deps = deps;
  }

  dispose(): void {
    for (const { cancelShown } of this.#datasets.values()) cancelShown?.();
  }

  /** Looks at a task that has changed. */
  look(task: TrackedTask): void {
    if (!neededCommands(task, whyNotAsked(this.#deps, task)).includes('chooseStatusMeaning')) return;
    const statuses = this.#statusesOf(task);
    const fresh = unknownStatuses([task]).filter((status) => !statuses.noticed.has(status));
    for (const status of fresh) statuses.noticed.add(status);
    const seen = fresh.length > 0 ? seenOfEach(this.#tasksLike(task).toReversed()) : [];
    const place = this.#unconfirmedPlace(task);
    if (place !== undefined && !statuses.doubtedPlaces.has(place.at) && statusLooksOf(seen) === 'measurement') {
      statuses.doubtedPlaces.add(place.at);
      void this.#askWhetherElsewhere(task, seen.flat());
    }
    this.#askNext(task);
  }

  /** Asks about all unknown statuses of the task's dataset that were not asked about yet. */
  #askNext(task: TrackedTask): void {
    const statuses = this.#statusesOf(task);
    const place = this.#unconfirmedPlace(task);
    if (place !== undefined && statuses.doubtedPlaces.has(place.at)) return;
    if (statuses.cancelShown !== undefined) return;
    const unasked = unknownStatuses(this.#tasksLike(task)).filter((status) => !statuses.asked.has(status));
    const [first, ...others] = unasked;
    if (first === undefined) return;
    for (const status of unasked) statuses.asked.add(status);
    const goOn = () => {
      // It may be closed long after it was hidden, when another one is in sight.
      if (statuses.cancelShown !== cancelShown) return;
      cancelShown();
      statuses.cancelShown = undefined;
      this.#askNext(task);
    };
    const cancelShown = this.#deps.clock.after(SHOWN_MS, goOn);
    statuses.cancelShown = cancelShown;
    void this.#ask(task, first, others).then(goOn);
  }

  async #ask(task: TrackedTask, status: string, others: readonly string[]): Promise<void> {
    const { messages } = this.#deps;
    const about = this.#tasksLike(task).find((each) => unknownStatuses([each]).includes(status)) ?? task;
    const showAll = helpAction(this.#deps, 'chooseStatusMeaning', about, (needing) => {
      for (const each of unknownStatuses(this.#tasksLike(task))) this.#statusesOf(task).asked.add(each);
      return chooseMeanings(this.#deps, datasetAt(this.#deps, needing), needing);
    });
    if (others.length > 0) {
      const names = [status, ...others].slice(0, STATUSES_NAMED).map((each) => `'${shortText(each)}'`);
      const listed = [...names, ...(others.length >= STATUSES_NAMED ? ['…'] : [])].join(', ');
      const message = l10n.t('{0} reports statuses that are not recognized: {1}', task.dataset, listed);
      return messages.done(message, showAll);
    }
    const place = contractOf(this.#deps, task)?.queryTask.status;
    const meanings = (['running', 'succeeded', 'failed'] as const).map((meaning) => ({
      label: formatMeaning(meaning),
      run: () => this.#setMeaning(about, status, meaning, place),
    }));
    const facts = [task.dataset, shortText(status), taskLabel(about)] as const;
    const said = about.phase.kind === 'accepted' ? about.phase.report?.message : undefined;
    const message =
      said === undefined
        ? l10n.t("{0} reports status '{1}' for '{2}'. What does it mean?", ...facts)
        : l10n.t(
            "{0} reports status '{1}' for '{2}', with the message '{3}'. What does it mean?",
            ...facts,
            shortText(said),
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

  #askWhetherElsewhere(task: TrackedTask, seen: readonly string[]): Promise<void> {
    const values = seen.slice(-STATUSES_NAMED).map(shortText).join(', ');
    const message = l10n.t(
      "The status that {0} reports for '{1}' looks like a measurement: {2}. Is the status elsewhere in the response?",
      ...[task.dataset, taskLabel(task), values],
    );
    return offerStatus(this.#deps, task, message, (each) => taskState(each) === 'unknown');
  }

  /** Those of the same destination that this window holds: a task of an unknown status is unfinished. */
  #tasksLike(task: TrackedTask): TrackedTask[] {
    return this.#deps.list.held.filter((other) => isSameDestination(other, task));
  }

  /** Where the status is read; undefined once a person has said what a value there means, which confirms the place. */
  #unconfirmedPlace(task: TrackedTask): { readonly at: string | undefined } | undefined {
    const contract = contractOf(this.#deps, task);
    const isConfirmed = contract === undefined || Object.keys(contract.queryTask.statusMeanings).length > 0;
    return isConfirmed ? undefined : { at: contract.queryTask.status };
  }

  #statusesOf({ dataset }: TrackedTask): AskedStatuses {
    const statuses = this.#datasets.get(dataset) ?? new AskedStatuses();
    this.#datasets.set(dataset, statuses);
    return statuses;
  }
}

/** Shows a message with the buttons by which the user says what tells the state; the likeliest one first. */
export async function offerStatus(
  deps: QuestionDeps,
  task: TrackedTask,
  message: string,
  needs?: (task: TrackedTask) => boolean,
): Promise<void> {
  const tell = stateRulesAction(deps, task, needs);
  const choose = chooseFieldAction(deps, 'status', task, needs);
  const leaves = await leavesOf(deps, task);
  const hasRules = !leaves.some(isUsualStatus) && proposedStates(leaves).length > 0;
  const first = hasRules ? [tell, choose] : [choose, tell];
  await deps.messages.done(message, ...first, showResponseAction(deps.responses, task.key));
}

/** Whether a value is a usual word of a status, and not a message that says no more than that a response is one. */
function isUsualStatus({ name, value, text, isByNumber }: Leaf): boolean {
  const isWord = typeof value === 'string' && statusMeaning(text, {}) !== 'unknown';
  return isWord && !isByNumber && !USUAL_NAMES.message.includes(plainName(name));
}

/** The values of the last report that may be the task's. */
export async function leavesOf(deps: MapDeps, task: TrackedTask): Promise<Leaf[]> {
  const response = await deps.mapping.responseOf('status', task);
  const contract = contractOf(deps, task);
  if (response === undefined || contract === undefined) return [];
  return allLeaves(responseData(response), ourTaskOf(task, contract));
}

export function contractOf({ datasets }: MapDeps, { dataset }: TrackedTask): Contract | undefined {
  return datasets.find(dataset)?.contract;
}
