import { type Disposable, l10n } from 'vscode';
import type { ImportStore } from '../../tasks/store/importStore';
import type { Announcement, DestinationRow, FileRow, Filter, Pause, State, StateCounts } from '../../tasks/store/model';
import { PROBLEMS } from '../../tasks/store/model';
import { commandTitle } from '../platform/commandTitle';
import { formatSentences } from '../platform/formatLists';
import { formatCount } from '../platform/formatNumbers';
import type { Messages } from '../platform/messages';
import type { Action } from '../platform/userError';
import { window } from '../platform/window';
import { formatPause } from '../wording/causes';
import { type NextStep, nextSteps, RETRIED, stepsToContinue } from '../wording/nextSteps';
import { countIn, formatCounts, formatOutcome, rowLabel, rowSentences, rowWords } from '../wording/states';

/** What a command applies to: a row, or the rows of a filter. */
export type StepTarget = { readonly file: number } | { readonly group: string; readonly filter: Filter };

/** Runs the command of a button. */
export type RunStep = (step: NextStep | 'showDetails' | 'showBatch', target: StepTarget) => unknown;

const STATUS_BAR_MS = 10_000;
/** Buttons of a message about a single file. VS Code cuts the titles of more. */
const MAX_STEPS = 2;

/** Announces how runs end, and how their files end at the service. */
export class Announcer {
  readonly #store: Pick<ImportStore, 'announce' | 'groups' | 'page'>;
  readonly #messages: Pick<Messages, 'done' | 'warn' | 'note'>;
  readonly #runStep: RunStep;
  readonly #nowMs: () => number;

  constructor(
    store: Pick<ImportStore, 'announce' | 'groups' | 'page'>,
    messages: Pick<Messages, 'done' | 'warn' | 'note'>,
    runStep: RunStep,
    nowMs: () => number,
  ) {
    this.#store = store;
    this.#messages = messages;
    this.#runStep = runStep;
    this.#nowMs = nowMs;
  }

  /** Shows the messages that are due in this window, which serves the destinations `held`. Resolves once all are closed. */
  async announce(destinations: readonly DestinationRow[], held: readonly number[]): Promise<void> {
    const { runs, batches } = await this.#store.announce(held);
    const at = (id: number | null) => destinations.find((one) => one.id === id);
    const ended = batches.filter(({ counts }) => countIn(counts, RESULTS) > 0);
    // The message about a batch includes a run that ended at the same time.
    const others = runs.filter(({ batch }) => !ended.some(({ id }) => id === batch?.id));
    await Promise.all([
      ...others.map((run) =>
        run.batch === null && sumOf(run) === 1
          ? this.#announceFile(run, at(run.destination))
          : this.#announceRun(run, at(run.destination)),
      ),
      ...ended.map((batch) => this.#announceBatch(batch, at(batch.destination))),
    ]);
  }

  /** "Uploaded 40 of 43 to Manuals · rejected: 2 · unconfirmed: 1" */
  async #announceRun(run: EndedRun, { dataset, pause }: Place = NOWHERE): Promise<void> {
    const { id, batch, sums } = run;
    const filter = { run: id };
    const counts = await this.#countsOf(filter);
    const [accepted, total, skipped] = [sums.accepted ?? 0, sumOf(run), sum(run.skipped)];
    const { reasons, worst } = await this.#problemsOf(filter);
    const parts = [
      total === 0
        ? l10n.t('Nothing uploaded to {0}', dataset)
        : l10n.t('Uploaded {0} of {1} to {2}', formatCount(accepted), formatCount(total), dataset),
      ...(['rejected', 'unconfirmed', 'notUploaded'] as const).flatMap((outcome) => {
        const count = sums[outcome] ?? 0;
        return count === 0 ? [] : [l10n.t('{0}: {1}', formatOutcome(outcome), formatCount(count))];
      }),
      ...formatCounts({ noId: counts.noId ?? 0 }),
      ...reasons,
      ...(skipped === 0 ? [] : [l10n.t('skipped: {0}', formatCount(skipped))]),
    ];
    const message = parts.join(' · ');
    if (accepted === total) return total === 0 ? this.#messages.done(message) : this.#note(message);
    const isCanceled = worst?.state === 'notUploaded' && worst.import.cause?.name === 'CanceledError';
    const show =
      batch === null
        ? []
        : [this.#action('showBatch', { group: '', filter: { batch: batch.id } }, commandTitle('showBatch'))];
    const actions = [...this.#help(filter, counts, worst, pause), ...show];
    await (isCanceled ? this.#messages.done(message, ...actions) : this.#messages.warn(message, ...actions));
  }

  /** "'handbook' at Manuals: 38 of 40 succeeded · failed: 2" */
  async #announceBatch(
    { id, label, counts }: Announcement['batches'][number],
    { dataset, pause }: Place = NOWHERE,
  ): Promise<void> {
    const filter = { batch: id };
    const { succeeded = 0, ...others } = counts;
    const { reasons, worst } = await this.#problemsOf(filter);
    const result = [
      l10n.t('{0} of {1} succeeded', formatCount(succeeded), formatCount(countIn(counts))),
      ...formatCounts(others),
      ...reasons,
    ];
    const message = l10n.t("'{0}' at {1}: {2}", label, dataset, result.join(' · '));
    const show = this.#action('showBatch', { group: '', filter }, commandTitle('showBatch'));
    if (countIn(counts, PROBLEMS) === 0) return this.#messages.done(message, show);
    await this.#messages.warn(message, ...this.#help(filter, counts, worst, pause), show);
  }

  /** A single file: its state, the whole reason, and what helps. */
  async #announceFile({ id }: EndedRun, { dataset, pause }: Place = NOWHERE): Promise<void> {
    const { rows } = await this.#store.page({ filter: { run: id }, limit: 1 });
    const [row] = rows;
    if (row === undefined) return;
    const sentences = formatSentences(rowSentences(row, { nowMs: this.#nowMs() }));
    const message = l10n.t("'{0}' at {1}: {2}", rowLabel(row), dataset, sentences);
    // OfferMapping asks what the response means.
    const isUnclear = row.state === 'noId' || row.state === 'unknown';
    const isProblem =
      !isUnclear && countIn({ [row.state]: 1 }, PROBLEMS) > 0 && row.import.cause?.name !== 'CanceledError';
    if (!isProblem) return this.#note(message);
    const steps = nextSteps(row, pause ?? undefined).slice(0, MAX_STEPS);
    const actions = steps.map((step) => this.#action(step, { file: row.id }, commandTitle(step)));
    const show = this.#action('showDetails', { file: row.id }, commandTitle('showDetails'));
    await this.#messages.warn(message, ...actions, show);
  }

  /** What helps with the problems of several files, most likely first. */
  #help(filter: Filter, counts: StateCounts, worst: FileRow | undefined, pause: Pause | null): Action[] {
    const target = worst && { file: worst.id };
    const step = worst && nextSteps(worst, pause ?? undefined).find((one) => one === 'setAccessKey');
    return [
      ...(step && target ? [this.#action(step, target, commandTitle(step))] : []),
      ...(countIn(counts, RETRIED) > 0
        ? [this.#action('retryFailed', { group: '', filter }, commandTitle('retryFailed'))]
        : []),
    ];
  }

  #action(step: Parameters<RunStep>[0], target: StepTarget, label: string): Action {
    return { label, run: () => this.#runStep(step, target) };
  }

  /** The first problem, and its reason if all problems have the same one. */
  async #problemsOf(
    filter: Filter,
  ): Promise<{ readonly reasons: readonly string[]; readonly worst: FileRow | undefined }> {
    const problems = { ...filter, states: PROBLEMS };
    const groups = await this.#store.groups({ by: 'reason', filter: problems });
    const { rows } = await this.#store.page({ filter: problems, limit: 1 });
    const [worst] = rows;
    const isOne = groups.length === 1 && worst !== undefined;
    return { reasons: isOne ? rowWords(worst, { nowMs: this.#nowMs() }).reasons : [], worst };
  }

  async #countsOf(filter: Filter): Promise<StateCounts> {
    const groups = await this.#store.groups({ by: 'state', filter });
    return Object.assign({}, ...groups.map(({ counts }) => counts));
  }

  /** Shows good news for a while in the status bar, since a batch has another message once it has ended at the service. */
  #note(message: string): void {
    this.#messages.note(message);
    window.setStatusBarMessage(message, STATUS_BAR_MS);
  }
}

type EndedRun = Announcement['runs'][number];
type Place = Pick<DestinationRow, 'dataset' | 'pause'>;
const NOWHERE: Place = { dataset: '', pause: null };

/** States that only the service decides. A batch without any was announced when its run ended. */
const RESULTS: readonly State[] = ['succeeded', 'failed'];

function sumOf({ sums }: Pick<EndedRun, 'sums'>): number {
  return sum(sums);
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Shorter pauses have no message. */
const LONG_PAUSE_MS = 10_000;
/** A pause has ended after so many updates without one: it may only have been interrupted for a try. */
const ENDED_AFTER = 5;

/** Shows a lasting message; disposing of the result closes it. */
type ShowLasting = typeof window.showLasting;

/** The message about each long pause of a destination, which closes when the pause ends. */
export class PauseMessages implements Disposable {
  readonly #cancel: (filter: Filter) => unknown;
  readonly #show: ShowLasting;
  readonly #shown = new Map<number, { readonly reason: string; readonly message: Disposable; without: number }>();

  constructor(cancel: (filter: Filter) => unknown, show: ShowLasting = window.showLasting) {
    this.#cancel = cancel;
    this.#show = show;
  }

  /** To be called once a second, with the destinations that this window serves. */
  update(served: readonly DestinationRow[], nowMs: number): void {
    const paused = served.filter(({ busy, pause }) => busy && pause !== null);
    for (const destination of paused) this.#update(destination, nowMs);
    for (const [id, shown] of this.#shown) {
      if (paused.some((one) => one.id === id)) continue;
      const isBusy = served.some((one) => one.id === id && one.busy);
      shown.without += 1;
      if (!isBusy || shown.without >= ENDED_AFTER) this.#close(id);
    }
  }

  dispose(): void {
    for (const id of this.#shown.keys()) this.#close(id);
  }

  #update({ id, dataset, pause }: DestinationRow, nowMs: number): void {
    if (pause === null) return;
    const before = this.#shown.get(id);
    const reason = formatPause(pause);
    if (before?.reason === reason) {
      before.without = 0;
      return;
    }
    const isLong = pause.untilMs === null || pause.untilMs - nowMs > LONG_PAUSE_MS;
    if (before === undefined && !isLong) return;
    this.#close(id);
    const filter = { destinations: [id] };
    const links = stepsToContinue(pause).map((step) => {
      return { label: commandTitle(step), command: `datasetImport.${step}`, target: { group: '', filter } };
    });
    const title = l10n.t('Uploads to {0} are paused', dataset);
    const onCancel = () => this.#cancel(filter);
    this.#shown.set(id, { reason, message: this.#show(title, reason, links, onCancel), without: 0 });
  }

  #close(id: number): void {
    this.#shown.get(id)?.message.dispose();
    this.#shown.delete(id);
  }
}
