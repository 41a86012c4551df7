import { type Disposable, l10n } from 'vscode';
import type { KnownMeaning } from '../../service/contract/contract';
import { statusLooksOf } from '../../service/response/statusLooks';
import { statusMeaning } from '../../service/response/statusMeaning';
import { isSameDestination } from '../../tasks/destination';
import { whyNotAsked } from '../../tasks/serving/whyNotAsked';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatList } from '../language/formatLists';
import { formatMeaning } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { taskLabel } from '../rows/taskItem';
import { neededCommands } from '../rows/taskNeeds';
import { helpAction, sayNothingToChoose } from '../tree/pickTaskFor';
import type { MappingServices } from './mapResponses';
import { chooseMeanings } from './mapResponses';
import { contractOf, offerStatus } from './offerStatus';
import { seenOfEach, unknownStatuses } from './seenStatuses';

/** Max statuses named in a message. */
const STATUSES_NAMED = 3;

/** After so long VS Code has moved a message to the bell, where it may stay for ever. */
const SHOWN_MS = 15_000;

/** Which statuses of a dataset the user was asked to explain. */
class AskedStatuses {
  /** Those that came to notice. */
  readonly noticed = new Set<string>();
  /** Those that a message was shown for. */
  readonly asked = new Set<string>();
  /** The places, undefined for a recognized one, of which it was asked whether the status is elsewhere. */
  readonly doubtedPlaces = new Set<string | undefined>();
  /** The message in sight, by its status; undefined where none is. */
  shown: { readonly status: string; readonly cancel: () => void } | undefined;
}

/**
 * Asks what the unknown statuses of each dataset mean, each status once in a window and the newest first. One message is
 * in sight at a time: the next one comes once it is answered or closed, VS Code has hidden it, or no task has its status
 * any more.
 */
export class StatusQuestions implements Disposable {
  readonly #services: MappingServices;
  /** By dataset. */
  readonly #datasets = new Map<string, AskedStatuses>();

  constructor(services: MappingServices) {
    this.#services = services;
  }

  dispose(): void {
    for (const { shown } of this.#datasets.values()) shown?.cancel();
  }

  /** Looks at a task that has changed. */
  look(task: TrackedTask): void {
    if (!neededCommands(task, whyNotAsked(this.#services, task)).includes('chooseStatusMeaning')) return;
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

  /** Asks what the newest unknown status of the task's dataset means, unless the user was asked before. */
  #askNext(task: TrackedTask): void {
    const statuses = this.#statusesOf(task);
    const place = this.#unconfirmedPlace(task);
    if (place !== undefined && statuses.doubtedPlaces.has(place.at)) return;
    const present = unknownStatuses(this.#tasksLike(task));
    if (statuses.shown !== undefined && present.includes(statuses.shown.status)) return;
    const unasked = present.filter((status) => !statuses.asked.has(status));
    const status = [...statuses.noticed].findLast((noticed) => unasked.includes(noticed)) ?? unasked.at(-1);
    if (status === undefined) return;
    statuses.asked.add(status);
    statuses.shown?.cancel();
    const goOn = () => {
      // It may be closed long after it was hidden, when another one is in sight.
      if (statuses.shown !== shown) return;
      shown.cancel();
      statuses.shown = undefined;
      this.#askNext(task);
    };
    const shown = { status, cancel: this.#services.clock.after(SHOWN_MS, goOn) };
    statuses.shown = shown;
    void this.#ask(task, status).then(goOn);
  }

  async #ask(task: TrackedTask, status: string): Promise<void> {
    const { messages } = this.#services;
    const about = this.#tasksLike(task).find((each) => unknownStatuses([each]).includes(status)) ?? task;
    const showAll = helpAction(this.#services, 'chooseStatusMeaning', about, (needing) => {
      for (const each of unknownStatuses(this.#tasksLike(task))) this.#statusesOf(task).asked.add(each);
      return chooseMeanings(this.#services, datasetAt(this.#services, needing), needing);
    });
    const place = contractOf(this.#services, task)?.queryTask.status;
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
    const dataset = datasetAt(this.#services, task);
    const { states, statusMeanings, status: place } = dataset.contract.queryTask;
    const isAsked = states.length === 0 && place === askedPlace && statusMeaning(status, statusMeanings) === 'unknown';
    if (isAsked) await this.#services.mapping.setMeaning(dataset, status, meaning, task.key);
    else sayNothingToChoose(this.#services, task);
  }

  #askWhetherElsewhere(task: TrackedTask, seen: readonly string[]): Promise<void> {
    const values = formatList(seen.slice(-STATUSES_NAMED).map(shortText));
    const message = l10n.t(
      "The status that {0} reports for '{1}' looks like a measurement: {2}. Is the status elsewhere in the response?",
      ...[task.dataset, taskLabel(task), values],
    );
    return offerStatus(this.#services, task, message, (each) => taskState(each) === 'unknown');
  }

  /** Those of the same destination that this window holds: a task of an unknown status is unfinished. */
  #tasksLike(task: TrackedTask): TrackedTask[] {
    return this.#services.list.held.filter((other) => isSameDestination(other, task));
  }

  /** Where the status is read; undefined once a person has said what a value there means, which confirms the place. */
  #unconfirmedPlace(task: TrackedTask): { readonly at: string | undefined } | undefined {
    const contract = contractOf(this.#services, task);
    const isConfirmed = contract === undefined || Object.keys(contract.queryTask.statusMeanings).length > 0;
    return isConfirmed ? undefined : { at: contract.queryTask.status };
  }

  #statusesOf({ dataset }: TrackedTask): AskedStatuses {
    const statuses = this.#datasets.get(dataset) ?? new AskedStatuses();
    this.#datasets.set(dataset, statuses);
    return statuses;
  }
}
