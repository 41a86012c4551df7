import { l10n } from 'vscode';
import type { BatchPage, BatchReason, BatchReasons } from '../../tasks/history/batchPage';
import type { BatchSummary } from '../../tasks/history/batchSummary';
import { collidingFolders } from '../../tasks/history/collidingFolders';
import type { BatchRun } from '../../tasks/rows/runs';
import type { Skipped } from '../../tasks/rows/skipped';
import type { ImportPause } from '../../tasks/serving/importPause';
import { isOpenState, isRunningState, type TaskState } from '../../tasks/trackedTask';
import { formatList } from '../language/formatLists';
import { formatCount, formatDateTime, formatDuration, formatSize } from '../platform/formatNumbers';
import { shortText } from '../platform/outsideText';
import { countOf, formatReason, stateCounts, statesOf, sumOf } from '../taskItems/batchItem';
import { formatStateCount } from '../taskItems/formatState';
import { formatWaits } from '../taskItems/formatWaits';
import { formatNext, type NextCommand, nextOfBatch, RETRIED } from '../taskItems/nextCommands';
import { taskLabel } from '../taskItems/taskItem';
import { formatCourse } from './formatCourse';
import { type Html, html } from './html';

/** The parts of the page, which are drawn anew one by one, by the ids of their elements. */
export const SECTIONS = ['head', 'actions', 'reasons', 'course', 'runs', 'facts'] as const;

export type PageSections = Readonly<Record<(typeof SECTIONS)[number], string>>;

/** What the page can ask for besides the next steps. */
const ALWAYS = ['importChanges', 'exportTasks'] as const;

/** The commands of the buttons of the page. */
export type PageCommand = NextCommand | (typeof ALWAYS)[number];

/** Max runs that are shown. */
const SHOWN_RUNS = 50;

/** The width of the bar in its own units; it is as wide as the page. */
const WIDTH = 1000;

/** The page about a batch. `pause` is why its destination waits. */
export function formatBatchPage(page: BatchPage, pause: ImportPause | undefined): PageSections {
  const { summary, reasons, runs, course, skipped } = page;
  return {
    head: headOf(summary, pause).text,
    actions: actionsOf(summary, pause).text,
    reasons: reasonsOf(reasons).text,
    course: course === undefined ? '' : formatCourse(course).text,
    runs: runsOf(runs).text,
    facts: html`${skippedOf(skipped)}${factsOf(page)}`.text,
  };
}

/** The page about a batch of which nothing is in the list any more. */
export function formatGone(): PageSections {
  const gone = html`<p>${l10n.t('None of these files is in the list any more.')}</p>`.text;
  return { head: gone, actions: '', reasons: '', course: '', runs: '', facts: '' };
}

function headOf({ batch, counts }: BatchSummary, pause: ImportPause | undefined): Html {
  const states = statesOf(counts);
  const total = sumOf(counts);
  let x = 0;
  const bars = states.map(({ state, count }) => {
    const width = (count / total) * WIDTH;
    const bar = boxOf(state, x, width, 16);
    x += width;
    return bar;
  });
  const legend = states.map(
    ({ state, count }) =>
      html`<li><svg class="sample" viewBox="0 0 10 10" aria-hidden="true">${boxOf(state, 0, 10, 10)}</svg> ${formatStateCount(state, count)}</li>`,
  );
  return html`<h1>${batch.label}</h1>
<p class="verdict" role="status">${formatVerdict(counts, pause)}</p>
<svg class="bar" viewBox="0 0 ${WIDTH} 16" preserveAspectRatio="none" role="img" aria-label="${formatList(stateCounts(counts))}">${bars}</svg>
<ul class="legend">${legend}</ul>`;
}

/** A box in the color of a state; what needs a person is striped too, for those who see no colors. */
function boxOf(state: TaskState, x: number, width: number, height: number): Html {
  const at = html`x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="${height}"`;
  const kind = colorOf(state);
  const stripes =
    kind === 'failed' || kind === 'warned' ? html`<rect class="striped" ${at} fill="url(#stripes)"/>` : '';
  return html`<rect class="${kind}" ${at}/>${stripes}`;
}

/** How it stands with the batch, in a sentence. */
function formatVerdict(counts: BatchSummary['counts'], pause: ImportPause | undefined): string {
  const count = (isMeant: (state: TaskState) => boolean) => countOf(counts, isMeant);
  const [total, open, running] = [sumOf(counts), count(isOpenState), count(isRunningState)];
  const succeeded = count((state) => state === 'succeeded');
  if (total === 1 && open > 0)
    return pause === undefined
      ? l10n.t('The file is not uploaded yet.')
      : l10n.t('The file is not uploaded yet. The import waits: {0}', formatWaits({ kind: 'paused', pause }));
  if (total === 1 && running > 0) return l10n.t('The file is being processed.');
  if (open > 0) {
    const far = [formatCount(total - open), formatCount(total)];
    return pause === undefined
      ? l10n.t('{0} of {1} files are uploaded.', ...far)
      : l10n.t('{0} of {1} files are uploaded. The import waits: {2}', ...far, formatWaits({ kind: 'paused', pause }));
  }
  if (running > 0)
    return l10n.t('{0} of {1} files have been processed.', formatCount(total - running), formatCount(total));
  if (succeeded === total)
    return total === 1 ? l10n.t('The file succeeded.') : l10n.t('All {0} files succeeded.', formatCount(total));
  if (total === 1) return l10n.t('The file needs your attention.');
  return total - succeeded === 1
    ? l10n.t('{0} of {1} files succeeded. 1 file needs your attention.', formatCount(succeeded), formatCount(total))
    : l10n.t(
        '{0} of {1} files succeeded. {2} files need your attention.',
        formatCount(succeeded),
        formatCount(total),
        formatCount(total - succeeded),
      );
}

/** Kinds of states that have a color and a pattern of their own. */
function colorOf(state: TaskState): string {
  if (state === 'succeeded') return 'succeeded';
  if (isOpenState(state)) return 'open';
  if (isRunningState(state)) return 'running';
  return state === 'failed' || state === 'rejected' ? 'failed' : 'warned';
}

function actionsOf({ counts }: BatchSummary, pause: ImportPause | undefined): Html {
  const isOpen = counts.some(({ state }) => isOpenState(state));
  const tryNow = isOpen && pause !== undefined ? (['tryNow'] as const) : [];
  const commands: readonly PageCommand[] = [...tryNow, ...nextOfBatch(counts), ...ALWAYS];
  const buttons = commands.map(
    (command, index) =>
      html`<button id="${command}" data-command="${command}" class="${index === 0 && commands.length > ALWAYS.length ? 'primary' : 'secondary'}">${titleOf(command, counts)}</button>`,
  );
  return html`${buttons}`;
}

function titleOf(command: PageCommand, counts: BatchSummary['counts']): string {
  switch (command) {
    case 'importChanges':
      return l10n.t('Import Changes…');
    case 'exportTasks':
      return l10n.t('Export Tasks…');
    case 'retryFailed':
      return l10n.t('Retry Failed ({0})', formatCount(countOf(counts, (state) => RETRIED.includes(state))));
    default:
      return formatNext(command);
  }
}

function reasonsOf({ reasons, more }: BatchReasons): Html {
  if (reasons.length === 0) return html``;
  const rest =
    more === 0
      ? ''
      : html`<p>${more === 1 ? l10n.t('1 more reason. Group the tasks by reason to see all.') : l10n.t('{0} more reasons. Group the tasks by reason to see all.', formatCount(more))}</p>`;
  return html`<h2>${l10n.t('Problems')}</h2>${reasons.map(reasonOf)}${rest}`;
}

function reasonOf({ count, tasks }: BatchReason, index: number): Html {
  const words = shortText(formatReason([...tasks.slice(0, 1), ...tasks.slice(-1)]));
  const folders = collidingFolders(tasks);
  const files = tasks.map((task) => {
    const folder = folders.get(task.key) ?? '';
    return html`<li><button id="task-${task.key}" class="link" data-command="showDetails" data-key="${task.key}">${taskLabel(task)}</button> <span class="folder">${folder}</span></li>`;
  });
  const rest = count - tasks.length;
  const more = rest === 0 ? '' : html`<li>${l10n.t('… and {0} more', formatCount(rest))}</li>`;
  const first = index === 0 ? html` open` : '';
  return html`<details id="reason-${index}"${first}><summary id="reason-${index}-summary">${words} <span class="count">${formatCount(count)}</span></summary><ul class="files">${files}${more}</ul></details>`;
}

function runsOf(runs: readonly BatchRun[]): Html {
  const rows = runs.slice(0, SHOWN_RUNS).map(({ beganMs, endedMs, counts }) => {
    const duration = endedMs === undefined ? l10n.t('not ended') : formatDuration(endedMs - beganMs);
    return html`<tr><th scope="row">${formatDateTime(beganMs)}</th><td>${duration}</td><td>${formatCount(sumOf(counts))}</td><td>${stateCounts(counts).join(' · ')}</td></tr>`;
  });
  const rest = runs.length - rows.length;
  const titles = [l10n.t('Started'), l10n.t('Duration'), l10n.t('Files'), l10n.t('Result')];
  return html`<h2>${l10n.t('Imports')}</h2><table><thead><tr>${titles.map(
    (title) => html`<th scope="col">${title}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table>${rest === 0 ? '' : html`<p>${l10n.t('… and {0} more', formatCount(rest))}</p>`}`;
}

function skippedOf(skipped: readonly Skipped[]): Html {
  if (skipped.length === 0) return html``;
  const rows = skipped.map(
    ({ reason, count }) => html`<tr><th scope="row">${reason}</th><td>${formatCount(count)}</td></tr>`,
  );
  return html`<h2>${l10n.t('Skipped by the Last Import')}</h2><table><tbody>${rows}</tbody></table>`;
}

function factsOf({ summary: { batch, first, counts, sizeBytes } }: BatchPage): Html {
  const rows = [
    [l10n.t('Dataset'), first.dataset],
    ...(batch.folder === undefined ? [] : [[l10n.t('Folder'), batch.folder]]),
    [l10n.t('Files'), formatCount(sumOf(counts))],
    [l10n.t('Size'), formatSize(sizeBytes)],
  ].map(([label = '', text = '']) => html`<tr><th scope="row">${label}</th><td>${text}</td></tr>`);
  return html`<h2>${l10n.t('Batch')}</h2><table><tbody>${rows}</tbody></table>`;
}
