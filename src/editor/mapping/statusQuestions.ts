import { l10n } from 'vscode';
import type { KnownMeaning } from '../../service/contract/contract';
import { isMeasurement } from '../../service/response/measurement';
import { statusMeaning } from '../../service/response/statusMeaning';
import { isSameDestination } from '../../tasks/destination';
import { whyNotAsked } from '../../tasks/serving/whyNotAsked';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatList } from '../language/formatLists';
import { formatMeaning } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { taskLabel } from '../rows/taskItem';
import { neededCommands } from '../rows/taskNeeds';
import { helpAction, sayNothingToChoose } from '../tree/pickTaskFor';
import { chooseMeaningOfStatus, type MappingServices } from './mapResponses';
import { contractOf, offerStatus } from './offerStatus';
import { seenStatuses, unknownStatuses } from './statusTable';

/** Max statuses named in a message. */
const STATUSES_NAMED = 3;

/**
 * Asks what the unknown statuses of each dataset mean, each status once in a window and the newest first. One message about
 * a dataset is open at a time; until it is answered or closed, only the rows show the others.
 * Where they look like a measurement, it asks once whether the status is elsewhere, and about none of them.
 */
export class StatusQuestions {
  readonly #services: MappingServices;
  /** The statuses that were asked about, by dataset. */
  readonly #asked = new Map<string, Set<string>>();
  /** The datasets about which a message is open. */
  readonly #open = new Set<string>();
  /** The datasets of which it was asked whether the status is elsewhere than at these places. */
  readonly #doubted = new Map<string, string | undefined>();

  constructor(services: MappingServices) {
    this.#services = services;
  }

  /** Looks at a task that has changed. */
  look(task: TrackedTask): void {
    const isNeeded = neededCommands(task, whyNotAsked(this.#services, task)).includes('chooseStatusMeaning');
    if (!isNeeded) return;
    if (this.#isMeasurement(task)) void this.#askWhetherElsewhere(task);
    else if (!this.#open.has(task.dataset)) void this.#askAll(task);
  }

  /** Whether what is read as statuses looks like none, and no person has given any of it a meaning. */
  #isMeasurement(task: TrackedTask): boolean {
    const chosen = contractOf(this.#services, task)?.queryTask.statusMeanings ?? {};
    return Object.keys(chosen).length === 0 && isMeasurement(seenStatuses(this.#tasksLike(task)));
  }

  async #askWhetherElsewhere(task: TrackedTask): Promise<void> {
    const place = contractOf(this.#services, task)?.queryTask.status;
    if (this.#doubted.has(task.dataset) && this.#doubted.get(task.dataset) === place) return;
    this.#doubted.set(task.dataset, place);
    const values = formatList(seenStatuses(this.#tasksLike(task)).slice(0, STATUSES_NAMED).map(shortText));
    const message = l10n.t(
      "The status that {0} reports for '{1}' looks like a measurement: {2}. Is the status elsewhere in the response?",
      ...[task.dataset, taskLabel(task), values],
    );
    await offerStatus(this.#services, task, message);
  }

  async #askAll(task: TrackedTask): Promise<void> {
    this.#open.add(task.dataset);
    for (let status = this.#unasked(task); status !== undefined; status = this.#unasked(task)) {
      this.#askedOf(task).add(status);
      await this.#ask(task, status);
    }
    this.#open.delete(task.dataset);
  }

  async #ask(task: TrackedTask, status: string): Promise<void> {
    const { messages } = this.#services;
    const about = this.#tasksLike(task).find((each) => unknownStatuses([each]).includes(status)) ?? task;
    const showAll = helpAction('chooseStatusMeaning', about, (row) => {
      for (const each of unknownStatuses(this.#tasksLike(task))) this.#askedOf(task).add(each);
      return chooseMeaningOfStatus(this.#services, row);
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
    const { state, statusMeanings, status: place } = dataset.contract.queryTask;
    const isAsked = state === undefined && place === askedPlace && statusMeaning(status, statusMeanings) === 'unknown';
    if (isAsked) await this.#services.mapping.setMeaning(dataset, status, meaning, task.key);
    else sayNothingToChoose(this.#services, task);
  }

  #unasked(task: TrackedTask): string | undefined {
    if (this.#isMeasurement(task)) return undefined;
    return unknownStatuses(this.#tasksLike(task)).findLast((status) => !this.#askedOf(task).has(status));
  }

  /** Those of the same destination that this window holds: a task of an unknown status is unfinished. */
  #tasksLike(task: TrackedTask): TrackedTask[] {
    return this.#services.list.held.filter((other) => isSameDestination(other, task));
  }

  #askedOf({ dataset }: TrackedTask): Set<string> {
    const asked = this.#asked.get(dataset) ?? new Set();
    this.#asked.set(dataset, asked);
    return asked;
  }
}
