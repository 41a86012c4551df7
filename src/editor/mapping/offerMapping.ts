import { l10n } from 'vscode';
import type { Contract } from '../../service/contract/contract';
import { stringifyJson } from '../../service/json/json';
import { readBegunTask } from '../../service/response/taskReport';
import type { FileRow, Filter, Group } from '../../tasks/store/model';
import { whyNotServed } from '../datasets/whyNotServed';
import { commandTitle } from '../platform/commandTitle';
import { shortText } from '../platform/outsideText';
import type { Services } from '../services';
import type { RunStep } from '../tasksView/announcements';
import { formatReason } from '../wording/causes';
import { nextSteps } from '../wording/nextSteps';
import { checkCause, rowLabel } from '../wording/states';
import { EXPRESSION_STATES } from './editStateExpression';
import { reportIn, responseData } from './responses';

/** What isn't understood: a task ID, a status, or our status check by the service. */
type Unclear = 'noId' | 'unknown' | 'refused';

/** Asks what responses mean that aren't recognized: one message per dataset, and another one after its contract has changed. */
export class OfferMapping {
  readonly #services: Pick<Services, 'store' | 'datasets' | 'keys' | 'serving' | 'messages'>;
  readonly #runStep: RunStep;
  readonly #offered = new Set<string>();

  constructor(services: Pick<Services, 'store' | 'datasets' | 'keys' | 'serving' | 'messages'>, runStep: RunStep) {
    this.#services = services;
    this.#runStep = runStep;
  }

  /** Call this when rows have changed. */
  async update(): Promise<void> {
    const { store } = this.#services;
    for (const state of ['noId', 'unknown'] as const)
      for (const { value } of await store.groups({ by: 'destination', filter: { states: [state] } }))
        await this.#offer(state, { states: [state], destinations: [Number(value)] });
    const tracked = await store.groups({ by: 'reason', filter: { states: ['waiting', 'running'] } });
    const refused = tracked.flatMap(({ value }: Group) => (typeof value === 'string' ? [value] : []));
    for (const reason of refused) await this.#offer('refused', { states: ['waiting', 'running'], reason });
  }

  async #offer(unclear: Unclear, filter: Filter): Promise<void> {
    const { store, serving, datasets, messages } = this.#services;
    const { rows } = await store.page({ filter, limit: 1 });
    const [row] = rows;
    const destination = serving.destinations.find(({ id }) => id === row?.destination);
    if (row === undefined || destination === undefined || whyNotServed(this.#services, destination) !== undefined)
      return;
    const contract = datasets.contractOf(destination);
    if (contract === undefined) return;
    const offered = JSON.stringify([
      destination.dataset,
      unclear,
      unclear === 'noId' ? contract.fileTask : contract.queryTask,
    ]);
    if (this.#offered.has(offered)) return;
    const message = await this.#format(unclear, row, contract);
    // The mapping has just been changed, and the row isn't updated yet.
    if (message === undefined) return;
    this.#offered.add(offered);
    const steps = nextSteps(row).filter((step) => step !== 'refreshStatus' && step !== 'stopTracking');
    const actions = [...steps, 'showDetails' as const].map((step) => ({
      label: step === 'showDetails' ? commandTitle('showDetails') : commandTitle(step),
      run: () => this.#runStep(step, { file: row.id }),
    }));
    // The message stays open for as long as the user likes.
    void messages.warn(message, ...actions);
  }

  /** What isn't recognized, with the service's own value; undefined if the contract now recognizes it. */
  async #format(unclear: Unclear, row: FileRow, contract: Contract): Promise<string | undefined> {
    const { store } = this.#services;
    const { dataset } = row;
    const label = rowLabel(row);
    const cause = checkCause(row);
    if (unclear === 'refused' && cause !== undefined)
      return l10n.t("{0} rejected the status check of '{1}': {2}", dataset, label, formatReason(cause));
    const details = await store.details(row.id);
    const text = details?.responses[unclear === 'noId' ? 'import' : 'query'];
    const data = text === undefined ? undefined : responseData(text);
    const shown = data === undefined ? '' : shortText(stringifyJson(data));
    if (unclear === 'noId') {
      if (data !== undefined && readBegunTask(data, contract.fileTask).taskId !== undefined) return undefined;
      return l10n.t("No task ID was recognized in the response for '{0}': {1}", label, shown);
    }
    const report = text === undefined ? undefined : reportIn({ row, text }, contract);
    if (report !== undefined && report.meaning !== 'unknown') return undefined;
    if (report?.byExpression !== undefined)
      return l10n.t(
        "The state expression of {0} yielded {1} for '{2}'. It must yield one of {3}.",
        ...[dataset, shortText(report.byExpression), label, EXPRESSION_STATES],
      );
    const status = row.tasks.find(({ meaning }) => meaning === 'unknown')?.status ?? report?.status;
    if (status)
      return l10n.t("{0} reports status '{1}' for '{2}'. What does it mean?", dataset, shortText(status), label);
    if (report?.elements !== undefined)
      return l10n.t("The response for '{0}' lists several tasks, and none of them is known to be this one.", label);
    return l10n.t("No status was recognized in the response for '{0}': {1}", label, shown);
  }
}
