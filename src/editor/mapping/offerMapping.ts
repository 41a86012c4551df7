import { l10n } from 'vscode';
import { stringifyJson } from '../../service/json/json';
import type { DestinationRow, FileRow } from '../../tasks/store/model';
import { whyNotServed } from '../datasets/whyNotServed';
import { shortText } from '../platform/outsideText';
import { type Action, commandAction } from '../platform/userError';
import type { Services } from '../services';
import { formatStep, nextSteps } from '../wording/nextSteps';
import { rowLabel } from '../wording/states';
import { EXPRESSION_STATES } from './editStateExpression';
import { reportIn, responseData } from './responses';

/** Asks what responses mean that aren't recognized: one message per dataset, and another one after its mapping has changed. */
export class OfferMapping {
  readonly #services: Services;
  readonly #offered = new Set<string>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Call this when rows have changed. */
  async update(): Promise<void> {
    const { store, datasets } = this.#services;
    for (const state of ['noId', 'unknown'] as const) {
      const groups = await store.groups({ by: 'destination', filter: { states: [state] } });
      for (const { value } of groups) {
        const destination = this.#services.serving.destinations.find(({ id }) => id === value);
        if (destination === undefined || whyNotServed(this.#services, destination) !== undefined) continue;
        const contract = datasets.contractOf(destination);
        const offered = JSON.stringify([
          destination.dataset,
          state === 'noId' ? contract?.fileTask : contract?.queryTask,
        ]);
        if (this.#offered.has(offered)) continue;
        this.#offered.add(offered);
        await this.#offer(destination, state);
      }
    }
  }

  async #offer(destination: DestinationRow, state: 'noId' | 'unknown'): Promise<void> {
    const { store, messages } = this.#services;
    const { rows } = await store.page({ filter: { destinations: [destination.id], states: [state] }, limit: 1 });
    const [row] = rows;
    if (row === undefined) return;
    const steps = nextSteps(row).filter((step) => step !== 'refreshStatus' && step !== 'stopTracking');
    const actions = [...steps, 'showDetails' as const].map((step): Action => {
      const label = step === 'showDetails' ? l10n.t('Show Details') : formatStep(step);
      return commandAction(label, step, { file: row.id });
    });
    const message = await this.#formatUnclear(row);
    // The message stays open for as long as the user likes.
    void messages.warn(message, ...actions);
  }

  /** What isn't recognized, with the service's own value. */
  async #formatUnclear(row: FileRow): Promise<string> {
    const { store, datasets } = this.#services;
    const label = rowLabel(row);
    const details = await store.details(row.id);
    const text = details?.responses[row.state === 'noId' ? 'import' : 'query'];
    const data = text === undefined ? undefined : responseData(text);
    const shown = data === undefined ? '' : shortText(stringifyJson(data));
    if (row.state === 'noId') return l10n.t("No task ID was recognized in the response for '{0}': {1}", label, shown);
    const contract = datasets.contractOf(row);
    const report = text !== undefined && contract ? reportIn({ row, text }, contract) : undefined;
    if (report?.byExpression !== undefined)
      return l10n.t(
        "The state expression of {0} yielded {1} for '{2}'. It must yield one of {3}.",
        ...[row.dataset, shortText(report.byExpression), label, EXPRESSION_STATES],
      );
    const status = row.tasks.find(({ meaning }) => meaning === 'unknown')?.status ?? report?.status;
    if (status)
      return l10n.t("{0} reports status '{1}' for '{2}'. What does it mean?", row.dataset, shortText(status), label);
    if (report?.elements !== undefined)
      return l10n.t("The response for '{0}' lists several tasks, and none of them is known to be this one.", label);
    return l10n.t("No status was recognized in the response for '{0}': {1}", label, shown);
  }
}
