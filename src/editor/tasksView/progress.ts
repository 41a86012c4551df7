import { type Disposable, l10n, MarkdownString, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import type { DestinationRow, RunProgress } from '../../tasks/store/model';
import { commandTitle } from '../platform/commandTitle';
import { setContextKey } from '../platform/contextKeys';
import { formatCount, formatTimeLeft } from '../platform/formatNumbers';
import { plainText } from '../platform/outsideText';
import { formatWhy, type WhyWaits } from '../wording/causes';
import { type NextStep, stepsToContinue } from '../wording/nextSteps';

/** Read from the store once a second, so all windows show the same progress. */
export interface UploadProgress extends RunProgress {
  /** Destinations with queued or sending imports, and why they wait. */
  readonly busy: readonly { readonly destination: DestinationRow; readonly why: WhyWaits | undefined }[];
}

/** The status bar item with the progress of uploads. Its tooltip has links to the next steps. */
export class ProgressItem implements Disposable {
  readonly item: StatusBarItem;
  readonly #pace = new Pace();
  #isShown = false;

  constructor() {
    this.item = window.createStatusBarItem('progress', StatusBarAlignment.Left, 3);
    this.item.name = l10n.t('Dataset Import: Progress');
  }

  /** Call this once a second. `monotonicMs` measures the pace; `nowMs` is the wall clock. */
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
    // Without a label, screen readers read the Markdown of the tooltip.
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

/** Returns the first waiting destination, or undefined unless all destinations wait. */
function allWait({ busy }: UploadProgress): UploadProgress['busy'][number] | undefined {
  return busy.every(({ why }) => why !== undefined) ? busy[0] : undefined;
}

const SHOW_TASKS = 'datasetImport.tasks.focus';

/** A command that applies to all rows, or to the rows of one destination. */
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

/** Min and max time over which the pace is measured. */
const MIN_MS = 10_000;
const MAX_MS = 60_000;
/** The pace is steady if the rates of both halves of that time differ by at most this factor. */
const STEADY = 1.5;

/** Measures how fast files end. */
export class Pace {
  #samples: { readonly ended: number; readonly atMs: number }[] = [];

  /** Drops earlier samples, so that a pause doesn't affect the pace. */
  reset(): void {
    this.#samples = [];
  }

  /** Returns the remaining time, or undefined while the pace is unknown or unsteady. */
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
