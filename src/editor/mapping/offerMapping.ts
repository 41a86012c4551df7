import { l10n } from 'vscode';
import type { Contract } from '../../service/contract/contract';
import { stringifyJson } from '../../service/json/json';
import { responseData } from '../../service/response/outcome';
import { readTaskIds } from '../../service/response/taskIds';
import { statusMeaning } from '../../service/response/usualNames';
import type { FileRow, Filter } from '../../tasks/store/model';
import { shortText } from '../platform/outsideText';
import type { Services } from '../services';
import { MAX_STEPS, type StepAction } from '../tasksView/announcements';
import { formatCause, formatReason } from '../wording/causes';
import { nextSteps } from '../wording/nextSteps';
import { checkCause, rowLabel } from '../wording/states';
import { EXPRESSION_STATES } from './editStateExpression';
import { reportIn } from './responses';

/** How long a task must have had a status before we ask about it. Many statuses are only steps on the way to a result. */
export const SETTLED_MS = 5000;
/** Max questions of the same kind in a session, in case a status is a number that changes all the time. */
const MAX_TIMES = 3;
/** Max problems of the same kind to look at. A service may report a different problem for each file. */
const MAX_REASONS = 50;

/** The rows whose response has the task ID of another file. */
const REPEATED_ID: Filter = { states: ['unconfirmed'], reason: 'unconfirmed RepeatedId' };

/**
 * Asks the user about unrecognized responses. A question covers all problems of its kind that a dataset has. The user is
 * asked about a new problem once the question is closed, or once no row has a status that it covers, and about all
 * problems if the contract has changed.
 */
export class OfferMapping {
  /** How often the user was asked, and the problems that the last question covers, or none once it is closed. */
  readonly #asked = new Map<string, { readonly times: number; readonly covered: Set<unknown> }>();

  constructor(
    private readonly services: Pick<Services, 'store' | 'datasets' | 'serving' | 'messages' | 'memory'>,
    private readonly stepAction: StepAction,
    private readonly nowMs: () => number,
  ) {}

  /** Call this when rows have changed, and again once {@link SETTLED_MS} have passed. */
  async update(): Promise<void> {
    const { datasets, serving } = this.services;
    const settled: Filter = { states: ['unknown'], quietSinceMs: this.nowMs() - SETTLED_MS };
    const kinds: Filter[] = [REPEATED_ID, { states: ['noId'] }, settled, { states: ['waiting', 'running'] }];
    for (const destination of serving.destinations) {
      // If another window serves the dataset, that window asks the user.
      const isElsewhere = destination.window !== null && !serving.isServing(destination.id);
      const contract = isElsewhere ? undefined : datasets.contractOf(destination);
      if (contract === undefined) continue;
      for (const kind of kinds) if (await this.#askOne({ ...kind, destinations: [destination.id] }, contract)) break;
    }
  }

  /** Asks about one of the problems that match a filter. Returns whether a question of this kind is open. */
  async #askOne(filter: Filter, contract: Contract): Promise<boolean> {
    const reasons = filter.reason ? [filter.reason] : await this.#reasons(filter);
    for (const reason of reasons) if (await this.#offer({ ...filter, reason }, reasons, contract)) return true;
    return false;
  }

  async #reasons(filter: Filter): Promise<readonly string[]> {
    const groups = await this.services.store.groups({ by: 'reason', filter });
    return groups.flatMap(({ value }) => (typeof value === 'string' ? value : [])).slice(0, MAX_REASONS);
  }

  /**
   * Asks about the first row that matches a filter. `reasons` are the problems of the same kind. Returns whether a
   * question of this kind is open.
   */
  async #offer(filter: Filter, reasons: readonly string[], contract: Contract): Promise<boolean> {
    const { store, memory } = this.services;
    const [row] = (await store.page({ filter, limit: 1 })).rows;
    if (row === undefined) return false;
    const kind = row.state === 'waiting' || row.state === 'running' ? 'rejected' : row.state;
    const offered = JSON.stringify([row.dataset, kind, contract.fileTask, contract.queryTask]);
    const { reason, quietSinceMs: _, ...ofKind } = filter;
    const { times, covered } = this.#asked.get(offered) ?? { times: 0, covered: new Set() };
    const isCovered = async () => (await this.#reasons(ofKind)).some((one) => covered.has(one));
    if (covered.size > 0 && (kind === 'rejected' || (await isCovered()))) return true;
    // Don't repeat the message about the same problem in another window or after a reload.
    const slotOf = (one: unknown) => JSON.stringify(['offered', row.dataset, row.origin, one]);
    const isKnown = times >= MAX_TIMES || memory.get(slotOf(reason)) === offered;
    const text = isKnown ? undefined : await this.#format(row, contract);
    // The user was asked earlier, or the mapping just changed and the row hasn't been updated yet.
    if (text === undefined) return false;
    // A dialog lists all statuses, but each rejection of a check is a problem of its own.
    const question = { times: times + 1, covered: new Set<unknown>(kind === 'rejected' ? [reason] : reasons) };
    this.#asked.set(offered, question);
    for (const one of question.covered) await memory.update(slotOf(one), offered);
    void this.#ask(row, text).finally(() => question.covered.clear());
    return true;
  }

  #ask(row: FileRow, text: string): Promise<void> {
    const steps = nextSteps(row).filter((step) => step !== 'refreshStatus' && step !== 'stopTracking');
    const offered = [...steps.slice(0, MAX_STEPS), 'showDetails' as const];
    this.services.messages.note(text);
    return this.services.messages.done(text, ...offered.map((step) => this.stepAction(step, { file: row.id })));
  }

  /** Describes the problem and quotes the service. Returns undefined if the current contract recognizes the response. */
  async #format(row: FileRow, contract: Contract): Promise<string | undefined> {
    const { dataset, state, tasks, import: newest } = row;
    const label = rowLabel(row);
    // After a change to the contract, wait for the next check.
    const cause = tasks.every(({ checkedMs }) => checkedMs !== null) ? checkCause(row) : undefined;
    if (state === 'waiting' || state === 'running')
      return cause && l10n.t("The status check of '{0}' at {1} failed: {2}", label, dataset, formatReason(cause));
    const details = await this.services.store.details(row.id);
    const data = responseData(details?.responses[state === 'unknown' ? 'query' : 'import'] ?? '');
    const shown = data === undefined ? '' : shortText(stringifyJson(data));
    const { ids } = readTaskIds(data ?? null, contract.fileTask);
    if (state === 'noId') {
      if (ids.length > 0) return undefined;
      return l10n.t("No task ID was recognized in the response for '{0}': {1}", label, shown);
    }
    if (state === 'unconfirmed') {
      // The message about a single file offers Map Responses, too.
      if (!newest.cause || row.batch === null || !ids.some((id) => id === newest.cause?.['id'])) return undefined;
      return l10n.t("'{0}' at {1}: {2}", label, dataset, formatCause(newest.cause));
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
