import * as vscode from 'vscode';
import type { ImportQueue, QueueProgress } from '../../tasks/queue/importQueue';
import { setContextKey } from '../platform/contextKeys';
import { formatSize, formatTimeLeft } from '../platform/format';
import { plainText } from '../platform/outsideText';
import { formatWaitReason } from '../tree/formatWaitReason';

/** How often the status bar is written anew. */
const REST_MS = 200;
/** Sending a file takes time besides its bytes: about as much as so many of them. */
const FILE_COSTS_BYTES = 64 * 1024;
/** Before this, the time that is left cannot be told from so little. */
const TELLING_MS = 3000;
const TELLING_PART = 0.02;

/** Tells in the status bar how far this window's imports have come. */
export class ImportProgress implements vscode.Disposable {
  readonly #queue: ImportQueue;
  readonly #monotonicMs: () => number;
  readonly #item: vscode.StatusBarItem;
  #rest: NodeJS.Timeout | undefined;
  #isImporting = false;

  /** `monotonicMs` is that of the queue's clock. */
  constructor(queue: ImportQueue, monotonicMs: () => number) {
    this.#queue = queue;
    this.#monotonicMs = monotonicMs;
    this.#item = vscode.window.createStatusBarItem('progress', vscode.StatusBarAlignment.Left);
    this.#item.name = vscode.l10n.t('Dataset Import: Progress');
    this.#item.command = 'datasetImport.tasks.focus';
    queue.events.on('change', this.#onChange);
  }

  dispose(): void {
    clearTimeout(this.#rest);
    this.#queue.events.off('change', this.#onChange);
    this.#item.dispose();
  }

  readonly #onChange = () => {
    this.#rest ??= setTimeout(() => {
      this.#rest = undefined;
      this.#show();
    }, REST_MS);
    // What is quickly done is seen in the view alone; the end is told at once.
    if (this.#isImporting && this.#queue.progress === undefined) this.#show();
  };

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
    this.#item.text = formatProgress(progress, this.#monotonicMs());
    this.#item.tooltip = progressTooltip();
    this.#item.show();
    // A pause and the time that is left go on while nothing else moves.
    this.#onChange();
  }
}

/** How far imports have come, or what keeps them from it, for the status bar. `nowMs` is of the queue's clock. */
export function formatProgress(progress: QueueProgress, nowMs: number): string {
  const { ended, total, sentBytes, totalBytes, waitReason, pausedUntilMs, isMoved } = progress;
  if (isMoved) {
    return `$(question) ${vscode.l10n.t('Import waits, as its dataset has moved: {0} of {1} done', ended, total)}`;
  }
  if (waitReason !== undefined || pausedUntilMs !== undefined) {
    const count = [Math.min(ended + 1, total), total];
    const again = formatRetry(pausedUntilMs, nowMs);
    const words =
      waitReason === undefined
        ? vscode.l10n.t('Importing {0} of {1}: {2}', ...count, again)
        : vscode.l10n.t('Importing {0} of {1}: {2}, {3}', ...count, formatWaitReason(waitReason), again);
    return `$(clock) ${plainText(words)}`;
  }
  const left = timeLeftMs(progress, nowMs);
  const words = [
    total === 1 ? vscode.l10n.t('Importing') : vscode.l10n.t('Importing: {0} of {1} done', ended, total),
    vscode.l10n.t('{0} of {1}', formatSize(sentBytes), formatSize(totalBytes)),
    ...(left === undefined ? [] : [formatTimeLeft(left)]),
  ];
  return `$(sync~spin) ${plainText(words.join(' · '))}`;
}

function formatRetry(pausedUntilMs: number | undefined, nowMs: number): string {
  const seconds = pausedUntilMs === undefined ? 0 : Math.ceil((pausedUntilMs - nowMs) / 1000);
  return seconds > 0 ? vscode.l10n.t('retrying in {0} s', seconds) : vscode.l10n.t('retrying now');
}

/** By how long what is done has taken; undefined where that does not tell yet. */
function timeLeftMs(
  { ended, total, sentBytes, totalBytes, beganMs }: QueueProgress,
  nowMs: number,
): number | undefined {
  const done = sentBytes + ended * FILE_COSTS_BYTES;
  const part = done / (totalBytes + total * FILE_COSTS_BYTES);
  const tookMs = nowMs - beganMs;
  return tookMs < TELLING_MS || part < TELLING_PART ? undefined : tookMs / part - tookMs;
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
