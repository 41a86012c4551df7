import { type Disposable, l10n, MarkdownString, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import type { DestinationRow, RunProgress } from '../../tasks/store/model';
import { commandTitle } from '../platform/commandTitle';
import { setContextKey } from '../platform/contextKeys';
import { formatCount, formatTimeLeft } from '../platform/formatNumbers';
import { plainText } from '../platform/outsideText';
import { formatWhy, type WhyWaits } from '../wording/causes';
import { type NextStep, stepsToContinue } from '../wording/nextSteps';

/** What the status bar shows, read from the store once a second: it is the same in all windows. */
export interface UploadProgress extends RunProgress {
  /** Those with something queued or being sent, and why they wait. */
  readonly busy: readonly { readonly destination: DestinationRow; readonly why: WhyWaits | undefined }[];
}

/** Shows in the status bar how far the uploads are, or why they wait. Its tooltip offers Cancel. */
export class ProgressItem implements Disposable {
  readonly item: StatusBarItem;
  readonly #pace = new Pace();
  #isShown = false;

  constructor() {
    this.item = window.createStatusBarItem('progress', StatusBarAlignment.Left, 3);
    this.item.name = l10n.t('Dataset Import: Progress');
  }

  /** To be called once a second; `monotonicMs` measures the pace, `nowMs` is the time of day. */
  update(progress: UploadProgress, { nowMs, monotonicMs }: { nowMs: number; monotonicMs: number }): void {
    const isShown = progress.total > 0;
    if (isShown !== this.#isShown) void setContextKey('importing', isShown);
    this.#isShown = isShown;
    if (!isShown) {
      this.#pace.reset();
      this.item.hide();
      return;
    }
    const paused = allWait(progress);
    const isPaused = paused !== undefined;
    if (isPaused) this.#pace.reset();
    const leftMs = isPaused ? undefined : this.#pace.leftMs(progress, monotonicMs);
    const text = plainText(formatProgress(progress, leftMs, nowMs));
    this.item.text = `$(${isPaused ? 'clock' : 'cloud-upload'}) ${text}`;
    // Otherwise a screen reader reads the tooltip's Markdown.
    this.item.accessibilityInformation = { label: l10n.t('Dataset Import: {0}', text) };
    const steps = stepsToContinue(paused?.why);
    this.item.command = steps.includes('setAccessKey') ? commandOf('setAccessKey', paused) : SHOW_TASKS;
    const tooltip = tooltipOf(steps, paused);
    if (!(this.item.tooltip instanceof MarkdownString) || this.item.tooltip.value !== tooltip.value)
      this.item.tooltip = tooltip;
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

export function formatProgress(progress: UploadProgress, leftMs: number | undefined, nowMs: number): string {
  const { ended, total } = progress;
  const why = allWait(progress)?.why;
  return [
    l10n.t('Uploading: {0} of {1}', formatCount(ended), formatCount(total)),
    ...(why === undefined ? [] : [l10n.t('paused: {0}', formatWhy(why, nowMs))]),
    ...(leftMs === undefined ? [] : [formatTimeLeft(leftMs)]),
  ].join(' · ');
}

/** The first destination that waits, if all do. */
function allWait({ busy }: UploadProgress): UploadProgress['busy'][number] | undefined {
  return busy.every(({ why }) => why !== undefined) ? busy[0] : undefined;
}

const SHOW_TASKS = 'datasetImport.tasks.focus';

/** A command on all rows, or on those of one destination. */
function commandOf(step: NextStep, of?: UploadProgress['busy'][number]) {
  const filter = of === undefined ? {} : { destinations: [of.destination.id] };
  return { command: `datasetImport.${step}`, title: commandTitle(step), arguments: [{ group: '', filter }] };
}

function tooltipOf(steps: readonly NextStep[], paused: UploadProgress['busy'][number] | undefined): MarkdownString {
  const commands = [...steps.map((step) => commandOf(step, paused)), commandOf('cancelImport')];
  const links = commands.map(({ command, title, arguments: given }) => {
    return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(given))})`;
  });
  const tooltip = new MarkdownString([...links, `[${l10n.t('Show Tasks')}](command:${SHOW_TASKS})`].join(' · '));
  tooltip.isTrusted = { enabledCommands: [...commands.map(({ command }) => command), SHOW_TASKS] };
  return tooltip;
}

/** The pace is measured over this time at least, and at most. */
const MIN_MS = 10_000;
const MAX_MS = 60_000;
/** A pace is steady if one half of that time had at most this many times as many files as the other. */
const STEADY = 1.5;

/** How many files end in how much time. */
export class Pace {
  #samples: { readonly ended: number; readonly atMs: number }[] = [];

  /** Forgets the past: a pause must not count. */
  reset(): void {
    this.#samples = [];
  }

  /** The remaining time; undefined while the pace isn't steady, or is unknown. */
  leftMs({ ended, total }: RunProgress, atMs: number): number | undefined {
    const before = this.#samples.at(-1);
    if (before !== undefined && ended < before.ended) this.reset();
    this.#samples = this.#samples.filter((sample) => atMs - sample.atMs <= MAX_MS);
    this.#samples.push({ ended, atMs });
    const [first] = this.#samples;
    if (first === undefined || atMs - first.atMs < MIN_MS) return undefined;
    const middle = this.#samples.findLast((sample) => sample.atMs <= (first.atMs + atMs) / 2) ?? first;
    const earlier = (middle.ended - first.ended) / (middle.atMs - first.atMs);
    const later = (ended - middle.ended) / (atMs - middle.atMs);
    const isSteady = later > 0 && later <= earlier * STEADY && earlier <= later * STEADY;
    return isSteady ? ((total - ended) * (atMs - first.atMs)) / (ended - first.ended) : undefined;
  }
}
