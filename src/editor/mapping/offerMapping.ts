import { type Disposable, l10n } from 'vscode';
import { stringifyJson } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import { responseData } from '../../tasks/following/keptResponses';
import { whyNotAsked } from '../../tasks/serving/whyNotAsked';
import { unlistedId } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatRefusal } from '../wording/failures';
import { listen } from '../platform/listen';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { editRequestAction } from '../requests/editRequest';
import { readRejection } from '../requests/rejection';
import type { CommandTarget } from '../targets';
import { attachTaskId } from '../taskCommands/attachTaskId';
import { replaceTaskKey } from '../taskCommands/replaceTaskKey';
import { EXPRESSION_STATES, unclearExpression } from '../taskItems/formatState';
import { showDetailsAction } from '../taskItems/nextCommands';
import { taskLabel } from '../taskItems/taskItem';
import { type HelpCommand, missingIn, neededCommands } from '../taskItems/taskNeeds';
import type { TaskNode } from '../taskItems/tasksNode';
import { helpAction } from '../tree/pickTaskFor';
import type { MappingServices } from './mapping';
import { mapResponses } from './mapResponses';
import { mapStatuses, passedStatuses, unknownStatuses } from './mapStatuses';

/**
 * Asks for what the tasks of a dataset need: another key or request, where the status is, what it means. Shows one message
 * for each of these per dataset and window, and another one about its responses only after their mapping was changed.
 */
export class OfferMapping {
  readonly #services: MappingServices;
  readonly #subscription: Disposable;
  readonly #offered = new Set<string>();

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
    const { phase, lastQueryError, dataset } = task;
    if (phase.kind !== 'accepted') return;
    const needed = neededCommands(task, whyNotAsked(this.#services, task));
    const actions = this.#helpActions(task, needed);
    if (lastQueryError?.kind === 'rejected') {
      const isOfKey = needed[0] === 'replaceAccessKey';
      if (!isOfKey && !(needed.includes('editRequest') && phase.report === undefined)) return;
      const message = l10n.t(
        "{0} rejected the status check of '{1}': {2}",
        ...[dataset, taskLabel(task), formatRefusal(lastQueryError.refusal)],
      );
      this.#show(task, isOfKey ? 'key' : 'query', async () => message, actions);
      return;
    }
    const missing = missingIn(task);
    if (missing === undefined || missing === 'taskId' || missing === 'message' || needed.length === 0) return;
    const [status] = unknownStatuses([task]);
    if (status !== undefined && passedStatuses(this.#services.list.unfinished).has(status)) return;
    const { queryTask } = datasetAt(this.#services, task).contract;
    this.#show(task, JSON.stringify(queryTask), () => this.#formatUnclear(task, status), actions);
  }

  /** `about` tells apart what is asked once per dataset. */
  #show(task: TrackedTask, about: string, message: () => Promise<string>, actions: readonly Action[]): void {
    const name = JSON.stringify([task.dataset, about]);
    if (this.#offered.has(name)) return;
    this.#offered.add(name);
    void message().then((text) => this.#services.messages.warn(text, ...actions, showDetailsAction(task.key)));
  }

  /** What isn't understood, with the service's own value. */
  async #formatUnclear(task: TrackedTask, status: string | undefined): Promise<string> {
    const label = taskLabel(task);
    const yielded = unclearExpression(task);
    if (yielded !== undefined)
      return l10n.t(
        "The state expression of {0} yielded {1} for '{2}'. It must yield one of {3}.",
        ...[task.dataset, shortText(yielded), label, EXPRESSION_STATES],
      );
    if (status !== undefined)
      return l10n.t("{0} reports status '{1}' for '{2}'. What does it mean?", task.dataset, shortText(status), label);
    const taskId = unlistedId(task);
    if (taskId !== undefined)
      return l10n.t(
        "The response for '{0}' lists several tasks, and none of them is known to be '{1}'.",
        ...[label, shortText(taskIdText(taskId))],
      );
    // The message doesn't depend on the store.
    const response = await this.#services.mapping.responseOf('status', task).catch(() => undefined);
    const data = response === undefined ? undefined : responseData(response);
    return data === undefined
      ? l10n.t("No status was recognized in the response for '{0}'.", label)
      : l10n.t("No status was recognized in the response for '{0}': {1}", label, shortText(stringifyJson(data)));
  }

  /** The buttons for the commands that a task needs. */
  #helpActions(task: TrackedTask, needed: readonly HelpCommand[]): Action[] {
    const services = this.#services;
    const actions: Record<HelpCommand, (target: CommandTarget<TaskNode>) => unknown> = {
      replaceAccessKey: (target) => replaceTaskKey(services, target),
      editRequest: () =>
        editRequestAction(services, () => datasetAt(services, task), undefined, readRejection(task)).run(),
      mapResponses: (target) => mapResponses(services, target),
      mapStatuses: (target) => mapStatuses(services, target),
      attachTaskId: (target) => attachTaskId(services, target),
    };
    return needed.map((command) => helpAction(command, task, actions[command]));
  }
}
