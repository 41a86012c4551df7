import { type Disposable, l10n, MarkdownString, StatusBarAlignment, window } from 'vscode';
import type { DestinationRow, RunProgress } from '../../tasks/store/model';
import { commandTitle } from '../platform/actions';
import { setContextKey } from '../platform/contextKeys';
import { formatCount } from '../platform/format';
import { plainText } from '../platform/outsideText';
import { formatWhy, type WhyWaits } from '../wording/causes';
import { type NextStep, stepsToContinue } from '../wording/nextSteps';

/** Read from the store once a second, so that all windows show the same progress. */
export interface UploadProgress extends RunProgress {
  /** Destinations with queued or sending imports, each with the reason why it is waiting, if any. */
  readonly busy: readonly { readonly destination: DestinationRow; readonly why: WhyWaits | undefined }[];
}

type BusyDestination = UploadProgress['busy'][number];

const SHOW_TASKS = 'datasetImport.tasks.focus';

/** The status bar item that shows upload progress. Its tooltip has links to the next steps. */
export class ProgressItem implements Disposable {
  readonly item = window.createStatusBarItem('progress', StatusBarAlignment.Left, 3);
  #isShown = false;

  constructor() {
    this.item.name = l10n.t('Dataset Import: Progress');
  }

  /** Call this once a second. */
  update({ ended, total, busy }: UploadProgress, nowMs: number): void {
    const isShown = total > 0;
    if (isShown !== this.#isShown) void setContextKey('importing', isShown);
    this.#isShown = isShown;
    if (!isShown) {
      this.item.hide();
      return;
    }
    const progress = l10n.t('Uploading: {0} of {1}', formatCount(ended), formatCount(total));
    const paused = busy.every(({ why }) => why !== undefined) ? busy[0] : undefined;
    const why = paused?.why;
    const text = why === undefined ? progress : `${progress} · ${l10n.t('paused: {0}', formatWhy(why, nowMs))}`;
    this.item.text = `$(${paused ? 'clock' : 'cloud-upload'}) ${plainText(text)}`;
    // Without a label, screen readers would read the tooltip's Markdown.
    this.item.accessibilityInformation = { label: l10n.t('Dataset Import: {0}', plainText(text)) };
    const steps = stepsToContinue(why);
    this.item.command = steps.includes('setAccessKey') ? commandOf('setAccessKey', paused) : SHOW_TASKS;
    const tooltip = tooltipOf(steps, paused);
    // A new tooltip would close the one that the user is reading.
    if (!(this.item.tooltip instanceof MarkdownString) || this.item.tooltip.value !== tooltip.value)
      this.item.tooltip = tooltip;
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

/** A link to a command that applies to all rows, or only to one destination's rows. */
function commandOf(step: NextStep, of?: BusyDestination) {
  const filter = of === undefined ? {} : { destinations: [of.destination.id] };
  return { command: `datasetImport.${step}`, title: commandTitle(step), arguments: [{ group: '', filter }] };
}

function tooltipOf(steps: readonly NextStep[], paused: BusyDestination | undefined): MarkdownString {
  const commands = [...steps.map((step) => commandOf(step, paused)), commandOf('cancelImport')];
  const links = commands.map(({ command, title, arguments: given }) => {
    return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(given))})`;
  });
  const tooltip = new MarkdownString([...links, `[${l10n.t('Show Tasks')}](command:${SHOW_TASKS})`].join(' · '));
  tooltip.isTrusted = { enabledCommands: [...commands.map(({ command }) => command), SHOW_TASKS] };
  return tooltip;
}
