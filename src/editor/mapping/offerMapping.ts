import { type Disposable, l10n } from 'vscode';
import type { ListChange, TaskList } from '../../tasks/store/taskList';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { replaceAccessKey } from '../accessKeys/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import { formatMeaning } from '../platform/formatField';
import { formatRefusal } from '../platform/formatOutcome';
import type { Messages } from '../platform/messages';
import { shortText } from '../platform/outsideText';
import { editRequestAction } from '../requests/editRequest';
import type { LastResponses } from '../requests/lastResponses';
import { showResponse } from '../requests/showResponse';
import { taskLabel } from '../tree/taskItem';
import { chooseFieldAction, type MapDeps } from './mapResponses';

/** How many statuses of a dataset are asked about one by one: more of them are no statuses, but the wrong place. */
const STATUSES_ASKED = 3;

/** What offering takes. */
export type OfferDeps = MapDeps & { readonly messages: Messages; readonly responses: LastResponses };

/** Asks, once a window for each dataset, what a new status means, or where the status is. */
export class OfferMapping implements Disposable {
  readonly #deps: OfferDeps;
  readonly #list: TaskList;
  readonly #asked = new Set<string>();
  readonly #statuses = new Map<string, number>();

  constructor(deps: OfferDeps) {
    this.#deps = deps;
    this.#list = deps.list;
    this.#list.events.on('change', this.#look);
  }

  dispose(): void {
    this.#list.events.off('change', this.#look);
  }

  readonly #look = (change: ListChange) => {
    for (const task of change.kind === 'tasks' ? change.tasks : []) {
      const offer = this.#offerFor(task);
      const about = offer && askedAbout(task, offer.about);
      if (offer === undefined || about === undefined || this.#asked.has(about)) continue;
      this.#asked.add(about);
      void offer.make();
    }
  };

  #offerFor(task: TrackedTask): { about: string; make(): Promise<void> } | undefined {
    const { phase, lastQueryError } = task;
    if (phase.kind !== 'accepted') return undefined;
    if (lastQueryError?.kind === 'rejected') {
      if (lastQueryError.badKey) {
        return { about: 'key', make: () => this.#offerKey(task, formatRefusal(lastQueryError.refusal)) };
      }
      return phase.report
        ? undefined
        : { about: 'query', make: () => this.#offerEdit(task, formatRefusal(lastQueryError.refusal)) };
    }
    if (taskState(task) !== 'unknown') return undefined;
    const status = phase.report?.status;
    if (status === undefined) {
      const words = l10n.t("No status was recognised in the answer about '{0}'.", taskLabel(task));
      return { about: 'status', make: () => this.#offerStatus(task, words) };
    }
    return (this.#statuses.get(task.dataset) ?? 0) < STATUSES_ASKED
      ? { about: `status ${status}`, make: () => this.#offerMeaning(task, status) }
      : { about: 'too many statuses', make: () => this.#offerOtherStatus(task, status) };
  }

  #offerKey(task: TrackedTask, refusal: string): Promise<void> {
    const { datasets, keys, messages, responses } = this.#deps;
    const replace = replaceAccessKey(
      keys,
      () => datasets.find(task.dataset),
      // The new one may be bad too.
      () => this.#asked.delete(askedAbout(task, 'key')),
    );
    return messages.warn(formatRejected(task, refusal), replace, showResponse(responses, task.key));
  }

  #offerEdit(task: TrackedTask, refusal: string): Promise<void> {
    const { messages, responses } = this.#deps;
    const edit = editRequestAction(this.#deps, () => datasetAt(this.#deps, task));
    const show = showResponse(responses, task.key);
    return messages.warn(formatRejected(task, refusal), edit, show);
  }

  #offerMeaning(task: TrackedTask, status: string): Promise<void> {
    const { mapping, messages } = this.#deps;
    this.#statuses.set(task.dataset, (this.#statuses.get(task.dataset) ?? 0) + 1);
    const actions = (['running', 'succeeded', 'failed'] as const).map((meaning) => ({
      label: formatMeaning(meaning),
      run: () => mapping.setMeaning(datasetAt(this.#deps, task), status, meaning, task.key),
    }));
    const words = l10n.t(
      "'{0}' says '{1}' of '{2}'. What does it mean?",
      task.dataset,
      shortText(status),
      taskLabel(task),
    );
    return messages.done(words, ...actions);
  }

  #offerOtherStatus(task: TrackedTask, status: string): Promise<void> {
    const words = l10n.t(
      "'{0}' goes on to give new statuses, now '{1}'. Is the status elsewhere in its answers?",
      task.dataset,
      shortText(status),
    );
    return this.#offerStatus(task, words);
  }

  #offerStatus(task: TrackedTask, words: string): Promise<void> {
    const { messages, responses } = this.#deps;
    const choose = chooseFieldAction(this.#deps, 'status', task.key);
    const show = showResponse(responses, task.key);
    return messages.done(words, choose, show);
  }
}

function askedAbout({ dataset }: TrackedTask, what: string): string {
  return JSON.stringify([dataset, what]);
}

function formatRejected(task: TrackedTask, refusal: string): string {
  return l10n.t("'{0}' rejected the query about '{1}': {2}", task.dataset, taskLabel(task), refusal);
}
