import { type Disposable, l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { whyNotAsked } from '../../tasks/serving/whyNotAsked';
import { unlistedId } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { attachTaskId } from '../following/attachTaskId';
import { replaceTaskKey } from '../following/replaceTaskKey';
import { formatRefusal } from '../platform/formatOutcome';
import { listen } from '../platform/listen';
import { shortText } from '../platform/outsideText';
import { openDatasetsSetting } from '../platform/settings';
import { editRequestAction } from '../requests/editRequest';
import { showResponseAction } from '../requests/lastResponses';
import { readRejection } from '../requests/rejection';
import { EXPRESSION_STATES, unclearExpression } from '../rows/formatState';
import { taskLabel } from '../rows/taskItem';
import { type HelpCommand, neededCommands } from '../rows/taskNeeds';
import type { TaskNode } from '../rows/tasksNode';
import { helpAction } from '../tree/pickTaskFor';
import { chooseFieldOfTask, type MappingServices } from './mapResponses';
import { offerStatus } from './offerStatus';
import { StatusQuestions } from './statusQuestions';

/** A message about a dataset, shown once in a window. */
interface Offer {
  readonly about: string;
  readonly show: () => Promise<void>;
}

/**
 * Asks, once per dataset and window, for what tasks need: what decides the state, how rejected queries are fixed, and
 * what unknown statuses mean.
 */
export class OfferMapping {
  readonly #services: MappingServices;
  readonly #subscription: Disposable;
  readonly #offered = new Set<string>();

  constructor(services: MappingServices) {
    this.#services = services;
    const statuses = new StatusQuestions(services);
    this.#subscription = listen(services.list.events, 'change', (change) => {
      if (change.kind !== 'tasks') return;
      for (const task of change.tasks) {
        this.#offer(task);
        statuses.look(task);
      }
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #offer(task: TrackedTask): void {
    for (const offer of this.#offersFor(task)) {
      const key = JSON.stringify([task.dataset, offer.about]);
      if (this.#offered.has(key)) continue;
      this.#offered.add(key);
      void offer.show();
    }
  }

  #offersFor(task: TrackedTask): Offer[] {
    const { phase, lastQueryError } = task;
    if (phase.kind !== 'accepted') return [];
    const needed = neededCommands(task, whyNotAsked(this.#services, task));
    if (lastQueryError?.kind === 'rejected') {
      const facts = [task.dataset, taskLabel(task), formatRefusal(lastQueryError.refusal)];
      const message = l10n.t("{0} rejected the status check of '{1}': {2}", ...facts);
      const isOfKey = needed[0] === 'replaceAccessKey';
      const isOfQuery = needed.includes('editRequest') && phase.report === undefined;
      const show = () => this.#offerHelp(task, message, needed);
      return isOfKey || isOfQuery ? [{ about: isOfKey ? 'key' : 'query', show }] : [];
    }
    const yielded = unclearExpression(task);
    if (yielded !== undefined) return [{ about: 'expression', show: () => this.#offerSettings(task, yielded) }];
    if (!needed.includes('chooseStatus')) return [];
    const show = () => offerStatus(this.#services, task, formatNoStatus(task));
    return [{ about: 'status', show }];
  }

  #offerSettings(task: TrackedTask, yielded: string): Promise<void> {
    const message = l10n.t(
      "The state expression of {0} yielded {1} for '{2}'. It must yield one of {3}.",
      ...[task.dataset, shortText(yielded), taskLabel(task), EXPRESSION_STATES],
    );
    const openSettings = { label: l10n.t('Open Dataset Settings'), run: openDatasetsSetting };
    return this.#services.messages.warn(message, openSettings, showResponseAction(this.#services.responses, task.key));
  }

  /** `needed` are the commands that may end the rejection. */
  #offerHelp(task: TrackedTask, message: string, needed: readonly HelpCommand[]): Promise<void> {
    const services = this.#services;
    const dataset = () => datasetAt(services, task);
    const actions: Partial<Record<HelpCommand, (row: TaskNode) => unknown>> = {
      replaceAccessKey: (row) => replaceTaskKey(services, row),
      editRequest: () => editRequestAction(services, dataset, undefined, readRejection(task)).run(),
      chooseTaskId: (row) => chooseFieldOfTask(services, 'taskId', row),
      attachTaskId: (row) => attachTaskId(services, row),
    };
    const helps = needed.flatMap((command) => {
      const run = actions[command];
      return run === undefined ? [] : [helpAction(command, task, run)];
    });
    return services.messages.warn(message, ...helps, showResponseAction(services.responses, task.key));
  }
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
