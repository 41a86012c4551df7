import * as vscode from 'vscode';
import type { ImportQueue, QueueProgress } from '../../tasks/serving/importQueue';
import type { Clock } from '../../tasks/timing/clock';
import { setContextKey } from '../platform/contextKeys';
import { formatCount, formatSize, formatTimeLeft } from '../platform/formatNumbers';
import { listen } from '../platform/listen';
import { plainText } from '../platform/outsideText';
import { formatPause } from '../taskItems/formatWaits';

/** Time between two updates of the status bar. */
const UPDATE_MS = 200;
/** How long the responses of the same files are awaited until that is shown: most come sooner. */
const AWAITED_AFTER_MS = 1000;
/** The overhead of a file, as a number of bytes that take the same time. */
const FILE_OVERHEAD_BYTES = 64 * 1024;
/** The remaining time is estimated after this time and this fraction of the work. */
const ESTIMATE_AFTER_MS = 3000;
const ESTIMATE_AFTER_FRACTION = 0.02;

/** Shows the progress of this window's imports in the status bar, with an entry that cancels them. */
export class ImportProgress implements vscode.Disposable {
  readonly #queue: ImportQueue;
  readonly #clock: Clock;
  readonly #item: vscode.StatusBarItem;
  readonly #cancel: vscode.StatusBarItem;
  readonly #subscription: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #isImporting = false;
  /** Since when the responses of the same files are awaited, by the clock's `monotonicMs`. */
  #awaited = { names: '', fromMs: 0 };

  constructor(queue: ImportQueue, clock: Clock) {
    this.#queue = queue;
    this.#clock = clock;
    // Left of the number of running tasks, which has 1, whichever shows first.
    this.#item = vscode.window.createStatusBarItem('progress', vscode.StatusBarAlignment.Left, 3);
    this.#cancel = vscode.window.createStatusBarItem('cancel', vscode.StatusBarAlignment.Left, 2);
    this.#item.name = vscode.l10n.t('Dataset Import: Progress');
    this.#item.command = 'datasetImport.tasks.focus';
    this.#cancel.name = vscode.l10n.t('Dataset Import: Cancel');
    this.#cancel.text = '$(stop-circle)';
    this.#cancel.tooltip = vscode.l10n.t('Cancel All Imports');
    this.#cancel.accessibilityInformation = { label: vscode.l10n.t('Dataset Import: Cancel All Imports') };
    this.#cancel.command = 'datasetImport.cancelAllImports';
    this.#subscription = listen(queue.events, 'change', () => this.#onChange());
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(this.#subscription, this.#item, this.#cancel).dispose();
  }

  /** Short imports are not shown at all, and the end of a long one is shown without delay. */
  #onChange(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#show();
    }, UPDATE_MS);
    if (this.#isImporting && this.#queue.progress === undefined) this.#show();
  }

  #show(): void {
    const progress = this.#queue.progress;
    if (this.#isImporting !== (progress !== undefined)) {
      this.#isImporting = progress !== undefined;
      void setContextKey('importing', this.#isImporting);
    }
    if (progress === undefined) {
      this.#item.hide();
      this.#cancel.hide();
      return;
    }
    const nowMs = this.#clock.monotonicMs();
    const awaited = this.#isLongAwaited(progress.awaited, nowMs) ? progress.awaited : [];
    const { icon, words } = formatProgress({ ...progress, awaited }, nowMs);
    const shown = plainText(words);
    this.#item.text = `$(${icon}) ${shown}`;
    // Without it, a screen reader reads the tooltip's Markdown.
    this.#item.accessibilityInformation = { label: vscode.l10n.t('Dataset Import: {0}', shown) };
    const waitsForDecision = progress.pause?.reason.kind === 'rejections';
    this.#item.command = waitsForDecision ? 'datasetImport.tryNow' : 'datasetImport.tasks.focus';
    this.#item.tooltip = progressTooltip(progress.pause !== undefined);
    this.#item.show();
    this.#cancel.show();
    // The remaining time changes even while nothing is sent.
    this.#onChange();
  }

  #isLongAwaited(awaited: readonly string[], nowMs: number): boolean {
    const names = awaited.join('\n');
    if (names !== this.#awaited.names) this.#awaited = { names, fromMs: nowMs };
    return nowMs - this.#awaited.fromMs >= AWAITED_AFTER_MS;
  }
}

/** The progress of imports, or why they wait, beside an icon. `nowMs` is monotonic time. */
export function formatProgress(
  progress: QueueProgress,
  nowMs: number,
): { readonly icon: string; readonly words: string } {
  const { ended, total, sentBytes, totalBytes, pause, isMoved, awaited } = progress;
  const count = [formatCount(Math.min(ended + 1, total)), formatCount(total)];
  if (isMoved) {
    return {
      icon: 'question',
      words: vscode.l10n.t('Importing {0} of {1}: the dataset moved, waiting for your decision', ...count),
    };
  }
  if (pause !== undefined) {
    const waits = [formatPause(pause.reason), formatRetry(pause.untilMs, nowMs)];
    return { icon: 'clock', words: vscode.l10n.t('Importing {0} of {1}: {2}, {3}', ...count, ...waits) };
  }
  const [first] = awaited;
  if (first !== undefined) {
    const words =
      awaited.length === 1
        ? vscode.l10n.t("Importing {0} of {1}: waiting for '{2}' to be confirmed", ...count, first)
        : vscode.l10n.t('Importing {0} of {1}: waiting for {2} files to be confirmed', ...count, awaited.length);
    return { icon: 'cloud-upload', words };
  }
  const left = timeLeftMs(progress, nowMs);
  const words = [
    vscode.l10n.t('Importing {0} of {1}', ...count),
    vscode.l10n.t('{0} of {1}', formatSize(sentBytes), formatSize(totalBytes)),
    ...(left === undefined ? [] : [formatTimeLeft(left)]),
  ].join(' · ');
  return { icon: 'cloud-upload', words };
}

function formatRetry(untilMs: number, nowMs: number): string {
  if (untilMs === Number.POSITIVE_INFINITY) return vscode.l10n.t('waiting for your decision');
  const seconds = Math.ceil((untilMs - nowMs) / 1000);
  return seconds > 0 ? vscode.l10n.t('retrying in {0} s', formatCount(seconds)) : vscode.l10n.t('retrying now');
}

/** Undefined while too little is done for an estimate. */
function timeLeftMs(
  { ended, total, sentBytes, totalBytes, beganMs }: QueueProgress,
  nowMs: number,
): number | undefined {
  const done = sentBytes + ended * FILE_OVERHEAD_BYTES;
  const fraction = done / (totalBytes + total * FILE_OVERHEAD_BYTES);
  const elapsedMs = nowMs - beganMs;
  const isTooEarly = elapsedMs < ESTIMATE_AFTER_MS || fraction < ESTIMATE_AFTER_FRACTION;
  return isTooEarly ? undefined : elapsedMs / fraction - elapsedMs;
}

/** With an argument, the command doesn't apply to the selected rows. */
const ANY_ARGUMENT = encodeURIComponent('["all"]');

function progressTooltip(isPaused: boolean): vscode.MarkdownString {
  const tryNow = isPaused ? ` · [${vscode.l10n.t('Try Now')}](command:datasetImport.tryNow?${ANY_ARGUMENT})` : '';
  const cancel = vscode.l10n.t('Cancel All Imports');
  const show = vscode.l10n.t('Show Tasks');
  const tooltip = new vscode.MarkdownString(
    `[${show}](command:datasetImport.tasks.focus)${tryNow} · [${cancel}](command:datasetImport.cancelAllImports)`,
  );
  tooltip.isTrusted = {
    enabledCommands: ['datasetImport.tasks.focus', 'datasetImport.tryNow', 'datasetImport.cancelAllImports'],
  };
  return tooltip;
}
