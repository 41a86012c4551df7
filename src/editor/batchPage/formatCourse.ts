import { l10n } from 'vscode';
import type { BatchCourse } from '../../tasks/history/batchPage';
import { formatCount, formatDateTime, formatDuration, formatTime } from '../platform/formatNumbers';
import { type Html, html } from './html';

/** The size of the chart in its own units; it is as wide as the page. */
const WIDTH = 600;
const HEIGHT = 140;
/** Rows of the table that says the same. */
const ROWS = 10;

/** A chart of how many files were uploaded and had ended over time, and the same as a table. */
export function formatCourse(course: BatchCourse): Html {
  const { fromMs, toMs, total, uploaded, ended } = course;
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
<path class="ended area" d="${pathOf(ended, total)} L${WIDTH},${HEIGHT} L0,${HEIGHT} Z"/>
<path class="uploaded line" d="${pathOf(uploaded, total)}"/>
<path class="ended line" d="${pathOf(ended, total)}"/>
</svg>
<div class="axis"><span>${formatTime(fromMs)}</span><span>${formatTime(toMs)}</span></div>
<figcaption><span>${sample('uploaded')} ${l10n.t('Uploaded')}</span><span>${sample('ended')} ${l10n.t('Ended at the service')}</span></figcaption>
</figure>
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

/** A line of the chart, for the legend. */
function sample(of: 'uploaded' | 'ended'): Html {
  return html`<svg class="sample" viewBox="0 0 20 10" aria-hidden="true"><path class="${of} line" d="M0,5 L20,5"/></svg>`;
}
