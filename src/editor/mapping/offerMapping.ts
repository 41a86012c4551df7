import { type Disposable, l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { whyNotAsked } from '../../tasks/serving/whyNotAsked';
import { unlistedId } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatRefusal } from '../platform/formatOutcome';
import { listen } from '../platform/listen';
import { shortText } from '../platform/outsideText';
import { openDatasetsSetting } from '../platform/settings';
import type { Action } from '../platform/userError';
import { editRequestAction } from '../requests/editRequest';
import { readRejection } from '../requests/rejection';
import type { CommandTarget } from '../targets';
import { attachTaskId } from '../taskCommands/attachTaskId';
import { replaceTaskKey } from '../taskCommands/replaceTaskKey';
import { EXPRESSION_STATES, unclearExpression } from '../taskItems/formatState';
import { showDetailsAction } from '../taskItems/nextCommands';
import { taskLabel } from '../taskItems/taskItem';
import { type HelpCommand, neededCommands } from '../taskItems/taskNeeds';
import type { TaskNode } from '../taskItems/tasksNode';
import { helpAction } from '../tree/pickTaskFor';
import { chooseFieldOfTask, chooseMeaningOfStatus, type MappingServices } from './mapResponses';
import { unknownStatuses } from './statusTable';

/** A message about a dataset, shown once in a window. */
interface Offer {
  readonly about: 'key' | 'query' | 'expression' | 'status' | `status ${string}`;
  readonly message: string;
  readonly actions: readonly Action[];
}

/** Max statuses of a dataset that a message asks about. After that, only the rows do. */
const MAX_STATUSES = 5;

/** Asks once per dataset and window for what tasks need: another request or key, where the status is, what it means. */
export class OfferMapping {
  readonly #services: MappingServices;
  readonly #subscription: Disposable;
  /** What was asked about, by dataset. */
  readonly #offered = new Map<string, Set<Offer['about']>>();
  /** The datasets with an open message about what a status means. */
  readonly #open = new Set<string>();

  constructor(services: MappingServices) {
    this.#services = services;
    this.#subscription = listen(services.list.events, 'change', (change) => {
      if (change.kind !== 'tasks') return;
      for (const task of change.tasks) this.#offer(task);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #offer(task: TrackedTask): void {
    const offer = this.#offerFor(task);
    const offered = this.#offered.get(task.dataset) ?? new Set();
    if (offer === undefined || offered.has(offer.about)) return;
    const isStatus = offer.about.startsWith('status ');
    if (isStatus && (this.#open.has(task.dataset) || countStatuses(offered) === MAX_STATUSES)) return;
    this.#offered.set(task.dataset, offered.add(offer.about));
    if (isStatus) this.#open.add(task.dataset);
    const show = this.#services.messages.warn(offer.message, ...offer.actions, showDetailsAction(task.key));
    void show.finally(() => isStatus && this.#open.delete(task.dataset));
  }

  #offerFor(task: TrackedTask): Offer | undefined {
    const { phase, lastQueryError, dataset } = task;
    if (phase.kind !== 'accepted') return undefined;
    const needed = neededCommands(task, whyNotAsked(this.#services, task));
    const label = taskLabel(task);
    if (lastQueryError?.kind === 'rejected') {
      const isOfKey = needed[0] === 'replaceAccessKey';
      if (!isOfKey && !(needed.includes('editRequest') && phase.report === undefined)) return undefined;
      const message = l10n.t(
        "{0} rejected the status check of '{1}': {2}",
        ...[dataset, label, formatRefusal(lastQueryError.refusal)],
      );
      return { about: isOfKey ? 'key' : 'query', message, actions: this.#helpActions(task, needed) };
    }
    const yielded = unclearExpression(task);
    if (yielded !== undefined) {
      const message = l10n.t(
        "The state expression of {0} yielded {1} for '{2}'. It must yield one of {3}.",
        ...[dataset, shortText(yielded), label, EXPRESSION_STATES],
      );
      const actions = [{ label: l10n.t('Open Dataset Settings'), run: openDatasetsSetting }];
      return { about: 'expression', message, actions };
    }
    const actions = this.#helpActions(task, needed);
    const [status] = unknownStatuses([task]);
    if (status !== undefined && needed.includes('chooseStatusMeaning')) {
      const message = l10n.t(
        "{0} reports status '{1}' for '{2}'. What does it mean?",
        ...[dataset, shortText(status), label],
      );
      return { about: `status ${status}`, message, actions };
    }
    return needed.includes('chooseStatus') ? { about: 'status', message: formatNoStatus(task), actions } : undefined;
  }

  /** The buttons for the commands that a task needs. */
  #helpActions(task: TrackedTask, needed: readonly HelpCommand[]): Action[] {
    const services = this.#services;
    const actions: Partial<Record<HelpCommand, (target: CommandTarget<TaskNode>) => unknown>> = {
      replaceAccessKey: (target) => replaceTaskKey(services, target),
      editRequest: () =>
        editRequestAction(services, () => datasetAt(services, task), undefined, readRejection(task)).run(),
      chooseTaskId: (target) => chooseFieldOfTask(services, 'taskId', target),
      chooseStatus: (target) => chooseFieldOfTask(services, 'status', target),
      chooseStatusMeaning: (target) => chooseMeaningOfStatus(services, target),
      attachTaskId: (target) => attachTaskId(services, target),
    };
    return needed.flatMap((command) => {
      const run = actions[command];
      return run === undefined ? [] : [helpAction(command, task, run)];
    });
  }
}

function countStatuses(offered: ReadonlySet<Offer['about']>): number {
  return [...offered].filter((about) => about.startsWith('status ')).length;
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
