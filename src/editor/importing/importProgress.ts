import * as vscode from 'vscode';
import type { ImportQueue, QueueProgress } from '../../tasks/queue/importQueue';
import type { Clock } from '../../tasks/timing/clock';
import { setContextKey } from '../platform/contextKeys';
import { formatSize, formatTimeLeft } from '../platform/formatNumbers';
import { listen } from '../platform/listen';
import { plainText } from '../platform/outsideText';
import { formatWaitReason } from '../tree/formatWaitReason';

/** Time between two updates of the status bar. */
const UPDATE_MS = 200;
/** The overhead of a file, as a number of bytes that take the same time. */
const FILE_OVERHEAD_BYTES = 64 * 1024;
/** The remaining time is estimated after this time and this fraction of the work. */
const ESTIMATE_AFTER_MS = 3000;
const ESTIMATE_AFTER_FRACTION = 0.02;

/** Shows the progress of this window's imports in the status bar. */
export class ImportProgress implements vscode.Disposable {
  readonly #queue: ImportQueue;
  readonly #clock: Clock;
  readonly #item: vscode.StatusBarItem;
  readonly #subscription: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #isImporting = false;

  constructor(queue: ImportQueue, clock: Clock) {
    this.#queue = queue;
    this.#clock = clock;
    this.#item = vscode.window.createStatusBarItem('progress', vscode.StatusBarAlignment.Left);
    this.#item.name = vscode.l10n.t('Dataset Import: Progress');
    this.#item.command = 'datasetImport.tasks.focus';
    this.#subscription = listen(queue.events, 'change', () => this.#onChange());
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(this.#subscription, this.#item).dispose();
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
      return;
    }
    this.#item.text = formatProgress(progress, this.#clock.monotonicMs());
    this.#item.tooltip = progressTooltip();
    this.#item.show();
    // The remaining time changes even while nothing is sent.
    this.#onChange();
  }
}

/** The progress of imports, or why they wait, for the status bar. `nowMs` is monotonic time. */
export function formatProgress(progress: QueueProgress, nowMs: number): string {
  const { ended, total, sentBytes, totalBytes, waitReason, pausedUntilMs, isMoved } = progress;
  if (isMoved) {
    return `$(question) ${vscode.l10n.t('Import waits, as its dataset has moved: {0} of {1} done', ended, total)}`;
  }
  if (waitReason !== undefined || pausedUntilMs !== undefined) {
    const count = [Math.min(ended + 1, total), total];
    const again = formatRetry(pausedUntilMs, nowMs);
    const text =
      waitReason === undefined
        ? vscode.l10n.t('Importing {0} of {1}: {2}', ...count, again)
        : vscode.l10n.t('Importing {0} of {1}: {2}, {3}', ...count, formatWaitReason(waitReason), again);
    return `$(clock) ${plainText(text)}`;
  }
  const left = timeLeftMs(progress, nowMs);
  const parts = [
    total === 1 ? vscode.l10n.t('Importing') : vscode.l10n.t('Importing: {0} of {1} done', ended, total),
    vscode.l10n.t('{0} of {1}', formatSize(sentBytes), formatSize(totalBytes)),
    ...(left === undefined ? [] : [formatTimeLeft(left)]),
  ];
  return `$(sync~spin) ${plainText(parts.join(' · '))}`;
}

function formatRetry(pausedUntilMs: number | undefined, nowMs: number): string {
  const seconds = pausedUntilMs === undefined ? 0 : Math.ceil((pausedUntilMs - nowMs) / 1000);
  return seconds > 0 ? vscode.l10n.t('retrying in {0} s', seconds) : vscode.l10n.t('retrying now');
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

function progressTooltip(): vscode.MarkdownString {
  const cancel = vscode.l10n.t('Cancel All Imports');
  const show = vscode.l10n.t('Show Tasks');
  const tooltip = new vscode.MarkdownString(
    `[${show}](command:datasetImport.tasks.focus) · [${cancel}](command:datasetImport.cancelAllImports)`,
  );
  tooltip.isTrusted = { enabledCommands: ['datasetImport.tasks.focus', 'datasetImport.cancelAllImports'] };
  return tooltip;
}
