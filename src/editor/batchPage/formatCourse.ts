import { l10n } from 'vscode';
import type { BatchCourse } from '../../tasks/history/batchPage';
import type { PastPause } from '../../tasks/rows/pauses';
import { readPauseReason } from '../../tasks/serving/sharedPauses';
import { formatCount, formatDateTime, formatDuration, formatTime } from '../platform/formatNumbers';
import { capitalized } from '../taskItems/formatState';
import { formatPause } from '../taskItems/formatWaits';
import { type Html, html } from './html';

/** The size of the chart in its own units; it is as wide as the page. */
const WIDTH = 600;
const HEIGHT = 140;
/** Rows of the table that says the same. */
const ROWS = 10;
/** Max pauses that are listed; all are drawn. */
const LISTED_PAUSES = 10;

/** A chart of the files that were uploaded and that have ended over time, with the pauses, and the same as a table. */
export function formatCourse(course: BatchCourse, pauses: readonly PastPause[]): Html {
  const { fromMs, toMs, total, uploaded, ended } = course;
  const within = pauses.filter(({ beganMs }) => beganMs < toMs);
  const words = l10n.t(
    '{0} of {1} files uploaded, {2} ended, within {3}',
    formatCount(uploaded.at(-1) ?? 0),
    formatCount(total),
    formatCount(ended.at(-1) ?? 0),
    formatDuration(toMs - fromMs),
  );
  const files = total === 1 ? l10n.t('1 file') : l10n.t('{0} files', formatCount(total));
  return html`<h2>${l10n.t('Last Import')}</h2>
<figure>
<div class="axis">${files}</div>
<svg class="course" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}">
${within.map((pause) => pauseBand(pause, course))}
<path class="ended area" d="${pathOf(ended, total)} L${WIDTH},${HEIGHT} L0,${HEIGHT} Z"/>
<path class="uploaded line" d="${pathOf(uploaded, total)}"/>
<path class="ended line" d="${pathOf(ended, total)}"/>
</svg>
<div class="axis"><span>${formatTime(fromMs)}</span><span>${formatTime(toMs)}</span></div>
<figcaption><span>${sample('uploaded')} ${l10n.t('Uploaded')}</span><span>${sample('ended')} ${l10n.t('Ended at the service')}</span>${
    within.length === 0 ? '' : html`<span>${sample('pause')} ${l10n.t('Paused')}</span>`
  }</figcaption>
</figure>
${within.length === 0 ? '' : pauseList(within)}
<details id="course-table"><summary id="course-table-summary">${l10n.t('Show as Table')}</summary>
<table><thead><tr><th scope="col">${l10n.t('Time')}</th><th scope="col">${l10n.t('Uploaded')}</th><th scope="col">${l10n.t(
    'Ended at the service',
  )}</th></tr></thead><tbody>${tableRows(course)}</tbody></table></details>`;
}

function pathOf(counts: readonly number[], total: number): string {
  const points = counts.map((count, index) => {
    const x = (index * WIDTH) / (counts.length - 1);
    return `${x.toFixed(1)},${(HEIGHT - (count / total) * HEIGHT).toFixed(1)}`;
  });
  return `M${points.join(' L')}`;
}

function pauseBand(pause: PastPause, { fromMs, toMs }: BatchCourse): Html {
  const xOf = (ms: number) => ((Math.min(Math.max(ms, fromMs), toMs) - fromMs) / (toMs - fromMs)) * WIDTH;
  const x = xOf(pause.beganMs);
  const width = Math.max(2, xOf(pause.endedMs ?? toMs) - x);
  return html`<rect class="pause" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="${HEIGHT}"/>`;
}

function pauseList(pauses: readonly PastPause[]): Html {
  const rows = pauses.slice(-LISTED_PAUSES).map((pause) => html`<li>${formatPastPause(pause)}</li>`);
  return html`<ul class="pauses">${rows}</ul>`;
}

function formatPastPause({ beganMs, endedMs, reason }: PastPause): string {
  const why = capitalized(formatPause(readPauseReason(reason)));
  return endedMs === undefined
    ? l10n.t('{0}: since {1}', why, formatTime(beganMs))
    : l10n.t('{0}: {1} to {2}', why, formatTime(beganMs), formatTime(endedMs));
}

function tableRows({ fromMs, toMs, uploaded, ended }: BatchCourse): Html[] {
  const parts = uploaded.length - 1;
  return Array.from({ length: ROWS + 1 }, (_, row) => {
    const part = Math.round((row * parts) / ROWS);
    const atMs = fromMs + ((toMs - fromMs) * part) / parts;
    return html`<tr><th scope="row">${formatDateTime(atMs)}</th><td>${formatCount(uploaded[part] ?? 0)}</td><td>${formatCount(
      ended[part] ?? 0,
    )}</td></tr>`;
  });
}

/** What a line or color of the chart looks like. */
function sample(of: 'uploaded' | 'ended' | 'pause'): Html {
  const drawn =
    of === 'pause'
      ? html`<rect class="pause" width="20" height="10"/>`
      : html`<path class="${of} line" d="M0,5 L20,5"/>`;
  return html`<svg class="sample" viewBox="0 0 20 10" aria-hidden="true">${drawn}</svg>`;
}
