import { l10n } from 'vscode';
import type { ImportStore } from '../../tasks/store/importStore';
import type { Announcement, BatchRow, DestinationRow, FileRow, Filter, StateCounts } from '../../tasks/store/model';
import { PROBLEMS, rejectionCode } from '../../tasks/store/model';
import type { Action } from '../platform/actions';
import { formatCount, formatSentences } from '../platform/format';
import type { Messages } from '../platform/messages';
import { window } from '../platform/window';
import { formatWhy, isPause, type WhyWaits } from '../wording/causes';
import { messageSteps, type NextStep, RETRIED, stepsToContinue } from '../wording/nextSteps';
import { countIn, formatCounts, rowLabel, rowSentences, rowWords } from '../wording/states';
import { stateCounts } from './chooseRows';
import type { GroupNode, RowNode } from './shownRows';

/** Creates a button that runs a command for a row, or for all rows that match a filter. */
export type StepAction = (step: NextStep | 'showDetails' | 'showBatch', target: RowNode | GroupNode) => Action;

const STATUS_BAR_MS = 10_000;
/** Max next steps to offer in a message about a single file. With more buttons, VS Code would truncate their titles. */
export const MAX_STEPS = 2;

/** Shows a message when a run ends, and when the service has finished processing all files in a batch. */
export class Announcer {
  constructor(
    private readonly store: Pick<ImportStore, 'announce' | 'groups' | 'page'>,
    private readonly messages: Pick<Messages, 'done' | 'warn' | 'note'>,
    private readonly stepAction: StepAction,
    private readonly nowMs: () => number,
  ) {}

  /**
   * Shows the messages that are due. `served` lists the destinations whose uploads and status checks this window runs.
   * Resolves when all messages are closed.
   */
  async announce(destinations: readonly DestinationRow[], served: readonly number[]): Promise<void> {
    const { runs, batches } = await this.store.announce(served);
    const at = (id: number | null): Place => destinations.find((one) => one.id === id) ?? { dataset: '', pause: null };
    const ended = batches.filter(({ counts }) => countIn(counts, RESULTS) > 0);
    const isEnded = (batch: unknown) => ended.some(({ id }) => id === batch);
    await Promise.all([
      ...runs.map(async (run) => {
        const batches = await this.store.groups({ by: 'batch', filter: { run: run.id } });
        // If a run and the batches of all its files end together, the messages about the batches cover the run.
        if (isEnded(run.batch?.id) && batches.every(({ value }) => isEnded(value))) return;
        const isFile = run.batch === null && sum(run.sums) === 1;
        await (isFile ? this.#announceFile(run, at(run.destination)) : this.#announceRun(run, at(run.destination)));
      }),
      ...ended.map((batch) => this.#announceBatch(batch, at(batch.destination))),
    ]);
  }

  /** "Uploaded 40 of 43 to Manuals · rejected: 2 · unconfirmed: 1" */
  async #announceRun({ id, batch, sums, skipped }: EndedRun, { dataset, pause }: Place): Promise<void> {
    const { accepted = 0, ...others } = sums;
    const [total, left] = [sum(sums), sum(skipped)];
    // An unrecognized status gets a message of its own.
    const states = PROBLEMS.filter((state) => state !== 'unknown');
    const problems = await this.#problemsIn({ run: id }, states);
    const { noId = 0, failed = 0 } = problems.counts;
    const nothing = l10n.t('Nothing was imported, because another import of the same files started first.');
    if (Object.keys(sums).length === 0) return this.messages.done(nothing);
    // The user has removed the files, or sent them to their dataset's new base URL.
    if (accepted === 0 && countIn(problems.counts) === 0) return;
    const message = [
      l10n.t('Uploaded {0} of {1} to {2}', formatCount(accepted), formatCount(total), dataset),
      ...formatCounts({ ...others, failed, noId }),
      ...problems.reasons,
      ...(left === 0 ? [] : [l10n.t('skipped: {0}', formatCount(left))]),
    ].join(' · ');
    if (accepted === total) return this.#note(message);
    // Files in a run may belong to different batches.
    await this.#show(message, problems, this.#help({ run: id }, problems, pause, problems.worst?.batch ?? batch?.id));
  }

  /** "'handbook' at Manuals: 38 of 40 succeeded · failed: 2" */
  async #announceBatch({ id, label }: BatchRow, { dataset, pause }: Place): Promise<void> {
    const problems = await this.#problemsIn({ batch: id });
    const { succeeded = 0, ...others } = problems.counts;
    const result = [
      l10n.t('{0} of {1} succeeded', formatCount(succeeded), formatCount(countIn(problems.counts))),
      ...formatCounts(others),
      ...problems.reasons,
    ].join(' · ');
    const message = l10n.t("'{0}' at {1}: {2}", label, dataset, result);
    await this.#show(message, problems, this.#help({ batch: id }, problems, pause, id));
  }

  /** Shows a warning, unless the user canceled all files with problems or removed them from the list. */
  async #show(message: string, { worst, reasons }: Problems, actions: Action[]): Promise<void> {
    const isWarning = worst !== undefined && !(isCanceled(worst) && reasons.length > 0);
    await (isWarning ? this.messages.warn(message, ...actions) : this.messages.done(message, ...actions));
  }

  /** Shows the state of a single file with its full reason and the next steps. */
  async #announceFile({ id }: EndedRun, { dataset, pause }: Place): Promise<void> {
    const [row] = (await this.store.page({ filter: { run: id }, limit: 1 })).rows;
    if (row === undefined) return;
    const sentences = formatSentences(rowSentences(row, { nowMs: this.nowMs() }));
    const message = l10n.t("'{0}' at {1}: {2}", rowLabel(row), dataset, sentences);
    const isProblem = RETRIED.includes(row.state) || row.state === 'unconfirmed';
    if (!isProblem || isCanceled(row)) return this.#note(message);
    const steps = messageSteps(row, pause ?? undefined).slice(0, MAX_STEPS);
    const actions = [...steps, 'showDetails' as const].map((step) => this.stepAction(step, { file: row.id }));
    await this.messages.warn(message, ...actions);
  }

  /** Buttons for problems with multiple files, most helpful first. */
  #help(filter: Filter, { counts, worst }: Problems, pause: Place['pause'], batch: number | undefined): Action[] {
    const [first] = worst ? messageSteps(worst, pause ?? undefined) : [];
    const helps = first === 'setAccessKey' || first === 'editRequest';
    return [
      ...(worst && helps ? [this.stepAction(first, { file: worst.id })] : []),
      ...(countIn(counts, RETRIED) > 0 ? [this.stepAction('retryFailed', { group: '', filter })] : []),
      ...(batch === undefined ? [] : [this.stepAction('showBatch', { group: '', filter: { batch } })]),
    ];
  }

  async #problemsIn(filter: Filter, states: NonNullable<Filter['states']> = PROBLEMS): Promise<Problems> {
    const counts = await stateCounts(this.store, filter);
    const problems = { ...filter, states };
    const [worst] = (await this.store.page({ filter: problems, limit: 1 })).rows;
    const isShared = (await this.store.groups({ by: 'reason', filter: problems })).length === 1;
    return { counts, worst, reasons: worst && isShared ? rowWords(worst, { nowMs: this.nowMs() }).reasons : [] };
  }

  /**
   * Logs good news and briefly shows it in the status bar. For a batch, a message follows once the service has finished
   * processing all of its files.
   */
  #note(message: string): void {
    this.messages.note(message);
    window.setStatusBarMessage(message, STATUS_BAR_MS);
  }
}

type EndedRun = Announcement['runs'][number];
type Place = Pick<DestinationRow, 'dataset' | 'pause'>;

interface Problems {
  readonly counts: StateCounts;
  readonly worst: FileRow | undefined;
  /** Contains the reason if all problems share one. Empty if they have different reasons. */
  readonly reasons: readonly string[];
}

/** Whether the user canceled the row's import before anything was sent. It then doesn't need the user's attention. */
export function isCanceled(row: FileRow | undefined): boolean {
  return row?.state === 'notUploaded' && row.import.cause?.name === 'CanceledError';
}

/**
 * The states of files that the service has finished processing. A batch with no files in these states gets no message
 * of its own, because the message about its run already covers everything.
 */
const RESULTS = ['succeeded', 'failed'] as const;

export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

/** Shorter pauses don't get a message. */
const LONG_PAUSE_MS = 10_000;
/**
 * Treat a pause as over only after this many consecutive updates without a pause, because trying an import during a
 * pause can briefly lift it.
 */
const ENDED_AFTER = 5;

/** A destination, and why its files are not being uploaded. */
type Waiting = Pick<DestinationRow, 'id' | 'dataset' | 'busy'> & { readonly why: WhyWaits | undefined };

/**
 * Shows one message for each long pause that a command could end, and another if its reason changes or only the user can
 * end it now.
 */
export class PauseMessages {
  /** The pauses that the user knows about, by destination. */
  readonly #shown = new Map<number, { reason: string; canForget: boolean; unpausedUpdates: number }>();

  constructor(
    private readonly messages: Pick<Messages, 'warn'>,
    private readonly stepAction: StepAction,
  ) {}

  /**
   * Call this when an access key has changed, so that the next pause is reported even if its reason is the same. If a
   * destination's key was missing, its pause ends once the key is set. A key doesn't help if the dataset has moved.
   */
  forget(): void {
    for (const [id, { canForget }] of this.#shown) if (canForget) this.#shown.delete(id);
  }

  /** Call this once a second with all destinations. */
  update(all: readonly Waiting[], nowMs: number): void {
    const paused = all.filter(({ busy, why }) => busy && stepsToContinue(why).length > 0);
    for (const destination of paused) this.#update(destination, nowMs);
    for (const [id, shown] of this.#shown) {
      if (paused.some((one) => one.id === id)) continue;
      const isBusy = all.some((one) => one.id === id && one.busy);
      shown.unpausedUpdates += 1;
      if (!isBusy || shown.unpausedUpdates >= ENDED_AFTER) this.#shown.delete(id);
    }
  }

  #update({ id, dataset, why }: Waiting, nowMs: number): void {
    if (why === undefined) return;
    const before = this.#shown.get(id);
    const untilMs = isPause(why) ? why.untilMs : null;
    const isLong = untilMs === null || untilMs - nowMs > LONG_PAUSE_MS;
    const code = isPause(why) && why.reason === 'rejections' ? rejectionCode(why.cause) : null;
    const reason = isLong ? JSON.stringify([why.reason, code, untilMs === null]) : before?.reason;
    if (reason === undefined) return;
    this.#shown.set(id, { reason, canForget: !['noKey', 'moved'].includes(why.reason), unpausedUpdates: 0 });
    if (before?.reason === reason) return;
    const target = { group: '', filter: { destinations: [id] } };
    const actions = stepsToContinue(why).map((step) => this.stepAction(step, target));
    void this.messages.warn(l10n.t('Uploads to {0} are paused: {1}', dataset, formatWhy(why)), ...actions);
  }
}
