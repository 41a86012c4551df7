import { l10n } from 'vscode';
import type { Contract } from '../../service/contract/contract';
import { stringifyJson } from '../../service/json/json';
import { responseData } from '../../service/response/outcome';
import { readTaskIds } from '../../service/response/taskIds';
import { statusMeaning } from '../../service/response/usualNames';
import type { FileRow, Filter } from '../../tasks/store/model';
import { shortText } from '../platform/outsideText';
import type { Services } from '../services';
import type { StepAction } from '../tasksView/announcements';
import { formatReason } from '../wording/causes';
import { nextSteps } from '../wording/nextSteps';
import { checkCause, rowLabel } from '../wording/states';
import { EXPRESSION_STATES } from './editStateExpression';
import { reportIn } from './responses';

type OfferServices = Pick<Services, 'store' | 'datasets' | 'serving' | 'messages' | 'memory'>;

/**
 * Asks the user about unrecognized responses, once per dataset and kind of problem. Asks again if the dataset's contract
 * has changed, and in a later session if the problem is different.
 */
export class OfferMapping {
  readonly #offered = new Set<string>();

  constructor(
    private readonly services: OfferServices,
    private readonly stepAction: StepAction,
  ) {}

  /** Call this when rows have changed. */
  async update(): Promise<void> {
    const { store, memory } = this.services;
    const unclear = new Set<string>();
    const offer = async (filter: Filter) => {
      const [row] = (await store.page({ filter, limit: 1 })).rows;
      const contract = row && this.#contractOf(row);
      if (row === undefined || contract === undefined || unclear.has(row.dataset)) return;
      const kind = row.state === 'noId' || row.state === 'unknown' ? row.state : 'rejected';
      const offered = JSON.stringify([row.dataset, kind, contract.fileTask, contract.queryTask]);
      // Don't repeat the message about the same problem in another window or after a reload.
      const slot = JSON.stringify(['offered', row.dataset, row.origin, row.reason]);
      if (!this.#offered.has(offered) && memory.get(slot) !== offered) {
        const text = await this.#format(row, contract);
        // The mapping just changed, and the row hasn't been updated yet.
        if (text === undefined) return;
        this.#offered.add(offered);
        this.#ask(row, text);
        await memory.update(slot, offered);
      }
      unclear.add(row.dataset);
    };
    for (const state of ['noId', 'unknown'] as const)
      for (const { value } of await store.groups({ by: 'destination', filter: { states: [state] } }))
        await offer({ states: [state], destinations: [Number(value)] });
    const states = ['waiting', 'running'] as const;
    for (const { value } of await store.groups({ by: 'reason', filter: { states } }))
      if (typeof value === 'string') await offer({ states, reason: value });
  }

  /**
   * Returns the contract of a row's dataset. Returns undefined if another window serves the dataset and asks the user
   * instead, or if a mapping can't be saved.
   */
  #contractOf(row: FileRow): Contract | undefined {
    const { serving, datasets } = this.services;
    const destination = serving.destinations.find(({ id }) => id === row.destination);
    if (destination === undefined) return undefined;
    const isElsewhere = destination.window !== null && !serving.isServing(destination.id);
    return isElsewhere ? undefined : datasets.contractOf(destination);
  }

  #ask(row: FileRow, text: string): void {
    const steps = nextSteps(row).filter((step) => step !== 'refreshStatus' && step !== 'stopTracking');
    const actions = [...steps, 'showDetails' as const].map((step) => this.stepAction(step, { file: row.id }));
    this.services.messages.note(text);
    void this.services.messages.done(text, ...actions);
  }

  /** Describes the problem and quotes the service. Returns undefined if the current contract recognizes the response. */
  async #format(row: FileRow, contract: Contract): Promise<string | undefined> {
    const { dataset, state, tasks } = row;
    const label = rowLabel(row);
    const cause = checkCause(row);
    if (state !== 'noId' && state !== 'unknown')
      return cause && l10n.t("The status check of '{0}' at {1} failed: {2}", label, dataset, formatReason(cause));
    const details = await this.services.store.details(row.id);
    const data = responseData(details?.responses[state === 'noId' ? 'import' : 'query'] ?? '');
    const shown = data === undefined ? '' : shortText(stringifyJson(data));
    if (state === 'noId') {
      if (readTaskIds(data ?? null, contract.fileTask).ids.length > 0) return undefined;
      return l10n.t("No task ID was recognized in the response for '{0}': {1}", label, shown);
    }
    const report = reportIn({ row, data }, contract);
    const status = tasks.find(({ meaning }) => meaning === 'unknown')?.status ?? undefined;
    // If the row has more than one task, the stored response may be about another task.
    const isCurrent =
      tasks.length > 1 || report === undefined
        ? statusMeaning(status ?? '', contract.queryTask.statusMeanings) === 'unknown'
        : report.meaning === 'unknown' && report.status === status;
    if (!isCurrent) return undefined;
    if (report?.byExpression !== undefined)
      return l10n.t(
        "The state expression of {0} yielded {1} for '{2}'. It must yield one of {3}.",
        dataset,
        shortText(report.byExpression),
        label,
        EXPRESSION_STATES,
      );
    return status
      ? l10n.t("{0} reports status '{1}' for '{2}'. What does it mean?", dataset, shortText(status), label)
      : l10n.t("No status was recognized in the response for '{0}': {1}", label, shown);
  }
}
