import { type Disposable, l10n } from 'vscode';
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
import { rejectionOf } from '../requests/rejection';
import { showResponseAction } from '../requests/showLastResponse';
import { taskLabel } from '../tree/taskItem';
import { chooseFieldAction, type MapDeps } from './mapResponses';

/** Max statuses of a dataset that are asked about. With more, the field is probably not the status. */
const STATUSES_ASKED = 3;

export type OfferDeps = MapDeps & { readonly messages: Messages; readonly responses: LastResponses };

/** Asks, once per dataset and window, what an unknown status means or where the status is, and offers to fix rejected queries. */
export class OfferMapping implements Disposable {
  readonly #deps: OfferDeps;
  readonly #subscription: Disposable;
  readonly #offered = new Set<string>();
  /** The number of statuses that were asked about, by dataset. */
  readonly #statuses = new Map<string, number>();

  constructor(deps: OfferDeps) {
    this.#deps = deps;
    this.#subscription = listen(deps.list.events, 'change', (change) => {
      if (change.kind === 'tasks') for (const task of change.tasks) this.#offer(task);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #offer(task: TrackedTask): void {
    const offer = this.#offerFor(task);
    if (offer === undefined) return;
    const key = offerKey(task, offer.about);
    if (this.#offered.has(key)) return;
    this.#offered.add(key);
    void offer.show();
  }

  #offerFor(task: TrackedTask): { about: string; show(): Promise<void> } | undefined {
    const { phase, lastQueryError } = task;
    if (phase.kind !== 'accepted') return undefined;
    if (lastQueryError?.kind === 'rejected') {
      const message = formatRejected(task, formatRefusal(lastQueryError.refusal));
      if (lastQueryError.badKey) return { about: 'key', show: () => this.#offerKey(task, message) };
      return phase.report ? undefined : { about: 'query', show: () => this.#offerEdit(task, message) };
    }
    if (taskState(task) !== 'unknown') return undefined;
    const status = phase.report?.status;
    if (status === undefined) {
      const message = l10n.t("No status was recognised in the answer about '{0}'.", taskLabel(task));
      return { about: 'status', show: () => this.#offerStatus(task, message) };
    }
    return (this.#statuses.get(task.dataset) ?? 0) < STATUSES_ASKED
      ? { about: `status ${status}`, show: () => this.#offerMeaning(task, status) }
      : { about: 'too many statuses', show: () => this.#offerOtherStatus(task, status) };
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
    const edit = editRequestAction(this.#deps, dataset, undefined, () => rejectionOf(task));
    return messages.warn(message, edit, showResponseAction(responses, task.key));
  }

  #offerMeaning(task: TrackedTask, status: string): Promise<void> {
    const { mapping, messages } = this.#deps;
    this.#statuses.set(task.dataset, (this.#statuses.get(task.dataset) ?? 0) + 1);
    const actions = (['running', 'succeeded', 'failed'] as const).map((meaning) => ({
      label: formatMeaning(meaning),
      run: () => mapping.setMeaning(datasetAt(this.#deps, task), status, meaning, task.key),
    }));
    const message = l10n.t(
      "'{0}' says '{1}' of '{2}'. What does it mean?",
      task.dataset,
      shortText(status),
      taskLabel(task),
    );
    return messages.done(message, ...actions);
  }

  #offerOtherStatus(task: TrackedTask, status: string): Promise<void> {
    const message = l10n.t(
      "'{0}' goes on to give new statuses, now '{1}'. Is the status elsewhere in its answers?",
      task.dataset,
      shortText(status),
    );
    return this.#offerStatus(task, message);
  }

  #offerStatus(task: TrackedTask, message: string): Promise<void> {
    const { messages, responses } = this.#deps;
    const choose = chooseFieldAction(this.#deps, 'status', task.key);
    return messages.done(message, choose, showResponseAction(responses, task.key));
  }
}

function offerKey({ dataset }: TrackedTask, what: string): string {
  return JSON.stringify([dataset, what]);
}

function formatRejected(task: TrackedTask, refusal: string): string {
  return l10n.t("'{0}' rejected the query about '{1}': {2}", task.dataset, taskLabel(task), refusal);
}
