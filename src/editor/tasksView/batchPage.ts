import { randomUUID } from 'node:crypto';
import { commands, type Disposable, l10n, Uri, type Webview, type WebviewPanel } from 'vscode';
import type { ImportStore } from '../../tasks/store/importStore';
import type { BatchPage, DestinationRow, FileRow, ImportOutcome, State, StateCounts } from '../../tasks/store/model';
import { PROBLEMS, STATES, TRACKED } from '../../tasks/store/model';
import { commandTitle } from '../platform/actions';
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatList,
  formatSentences,
  formatTime,
  naturally,
} from '../platform/format';
import { visibleText } from '../platform/outsideText';
import { window } from '../platform/window';
import { formatWhy, type WhyWaits } from '../wording/causes';
import { NEXT_STEPS, nextStepsOf } from '../wording/nextSteps';
import {
  countIn,
  formatCounts,
  formatOutcome,
  formatProblem,
  repeatedFolders,
  rowLabel,
  UNSENT,
} from '../wording/states';
import { sum } from './announcements';

type RunRow = BatchPage['runs'][number];

interface BatchPagesPorts {
  readonly store: Pick<ImportStore, 'batchPage' | 'batches' | 'destinations' | 'page'>;
  /** The folder that contains the script and style sheet. */
  readonly media: Uri;
  /** Explains why uploads or status checks are on hold. Returns undefined if they aren't. */
  whyWaits(destination: number): WhyWaits | undefined;
  onError(error: unknown): void;
}

/** Everything that a batch page shows. */
export interface PageContent {
  readonly page: BatchPage;
  readonly destination: DestinationRow;
  readonly why: WhyWaits | undefined;
  /** For each problem, the rows of the first few files that have it, keyed by row ID. */
  readonly rows: ReadonlyMap<number, FileRow>;
}

/** The open batch pages. Each is a webview in its own tab. */
export class BatchPages implements Disposable {
  readonly #panels = new Map<number, WebviewPanel>();

  constructor(private readonly ports: BatchPagesPorts) {}

  /** Opens the page of a batch, or reveals it if it is already open. */
  async show(id: number): Promise<void> {
    const [batch] = await this.ports.store.batches([id]);
    const open = this.#panels.get(id);
    if (open !== undefined) return open.reveal();
    if (batch === undefined) return;
    const panel = window.createWebviewPanel('datasetImport.batch', batch.label);
    this.#panels.set(id, panel);
    panel.onDidDispose(() => this.#panels.delete(id));
    panel.webview.onDidReceiveMessage((message: unknown) => this.#onMessage(id, message));
    panel.webview.options = { enableScripts: true, localResourceRoots: [this.ports.media] };
    panel.webview.html = emptyPage(panel.webview, this.ports.media).text;
  }

  /** Updates the visible pages. Call this at most once a second. */
  update(): void {
    for (const [id, panel] of this.#panels) if (panel.visible) this.#draw(id).catch(this.ports.onError);
  }

  dispose(): void {
    for (const panel of this.#panels.values()) panel.dispose();
  }

  async #draw(id: number): Promise<void> {
    const { text } = await this.#read(id);
    await this.#panels.get(id)?.webview.postMessage({ page: text });
  }

  async #read(id: number): Promise<Html> {
    const page = await this.ports.store.batchPage(id);
    const destination = (await this.ports.store.destinations(null)).find((one) => one.id === page?.batch.destination);
    if (page === null || destination === undefined || countIn(page.counts) === 0)
      return html`<p>${l10n.t('None of these files is in the list any more.')}</p>`;
    const files = page.reasons.flatMap((reason) => reason.files);
    const { rows } = await this.ports.store.page({ filter: { files }, limit: files.length });
    const why = this.ports.whyWaits(destination.id);
    return formatPage({ page, destination, why, rows: new Map(rows.map((row) => [row.id, row])) });
  }

  #onMessage(id: number, message: unknown): void {
    const { command, key } = (message ?? {}) as { readonly command?: unknown; readonly key?: unknown };
    // VS Code restarts the page's script whenever the panel becomes visible.
    if (command === 'ready') this.#draw(id).catch(this.ports.onError);
    if (!COMMANDS.has(command)) return;
    const target = command === 'showDetails' ? { file: Number(key) } : { group: `${id}`, filter: { batch: id } };
    void commands.executeCommand(`datasetImport.${command}`, target);
  }
}

/** The page before its content arrives. Its content security policy allows only our script and style sheet. */
function emptyPage(webview: Webview, media: Uri): Html {
  const nonce = randomUUID();
  const uriOf = (name: string) => String(webview.asWebviewUri(Uri.joinPath(media, name)));
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  const slanted = html`<rect width="3" height="6"/>`;
  return html`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0"><link rel="stylesheet" href="${uriOf('batchPage.css')}"></head>
<body><main><svg class="patterns" aria-hidden="true"><defs>
<pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">${slanted}</pattern>
<pattern id="mirrored" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">${slanted}</pattern>
<pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="3" height="3"/></pattern>
</defs></svg><section id="page"></section></main><script nonce="${nonce}" src="${uriOf('batchPage.js')}"></script></body></html>`;
}

/**
 * Formats the page: verdict, state bar, buttons, problems by reason, a chart of the latest run, all runs, and skipped
 * files.
 */
export function formatPage(content: PageContent): Html {
  const { batch, counts, canceled, runs, course } = content.page;
  const newest = runs.at(-1);
  const total = sum(newest?.sums ?? {});
  // If rows were deleted, we no longer know when their tasks finished.
  const isCharted = total > 0 && course.uploaded.at(-1) === (newest?.sums.accepted ?? 0);
  const problemCount = countIn(counts, PROBLEMS) - canceled;
  // The other rows were removed, or belong to other batches.
  const isPart = runs.some(({ sums }) => sum(sums) > countIn(counts));
  const rest = isPart ? [l10n.t('Some imported files are not listed here.')] : [];
  const attention = problemCount > 0 ? [l10n.t('Needing your attention: {0}.', formatCount(problemCount))] : [];
  return html`<h1>${batch.label}</h1>
<p class="folder">${[content.destination.dataset, batch.folder ?? ''].filter((text) => text !== '').join(' · ')}</p>
<p class="verdict" role="status">${formatSentences([formatProgress(counts, content.why), ...attention, ...rest])}</p>
${stateBar(counts)}
<div id="actions">${actions(content)}</div>
${problems(content)}${isCharted ? chart(course, total) : ''}${runTable(runs)}${skippedTable(newest)}`;
}

function formatProgress(counts: StateCounts, why: WhyWaits | undefined): string {
  const total = formatCount(countIn(counts));
  const unsent = countIn(counts, UNSENT);
  if (unsent > 0)
    return why === undefined
      ? l10n.t('Left to upload: {0} of {1}.', formatCount(unsent), total)
      : l10n.t('Left to upload: {0} of {1}. Paused: {2}', formatCount(unsent), total, formatWhy(why));
  if (countIn(counts, TRACKED) === 0)
    return l10n.t('Succeeded: {0} of {1}.', formatCount(countIn(counts, ['succeeded'])), total);
  const finished = countIn(counts) - countIn(counts, [...TRACKED, 'noId']);
  return l10n.t('Finished: {0} of {1}.', formatCount(finished), total);
}

/** The color for each state. Problems also have patterns, for users who can't tell the colors apart. */
const COLORS: Readonly<Partial<Record<State, readonly [color: string, pattern?: string]>>> = {
  failed: ['failed', 'stripes'],
  rejected: ['rejected', 'dots'],
  queued: ['open'],
  sending: ['open'],
  waiting: ['running'],
  running: ['running'],
  succeeded: ['succeeded'],
  uploaded: ['succeeded'],
  untracked: ['open'],
  unconfirmed: ['warned', 'mirrored'],
  unknown: ['warned', 'stripes'],
  noId: ['warned', 'dots'],
};

function stateBar(counts: StateCounts): Html {
  const width = 1000;
  const total = countIn(counts);
  const states = STATES.filter((state) => (counts[state] ?? 0) > 0);
  let x = 0;
  const boxes = states.map((state) => {
    const own = ((counts[state] ?? 0) / total) * width;
    x += own;
    return box(state, x - own, own);
  });
  const legend = states.map(
    (state) =>
      html`<li><svg class="sample" viewBox="0 0 16 16" aria-hidden="true">${box(state, 0, 16)}</svg> ${formatCounts({ [state]: counts[state] ?? 0 }).join('')}</li>`,
  );
  return html`<svg class="bar" viewBox="0 0 ${width} 16" preserveAspectRatio="none" role="img" aria-label="${formatList(formatCounts(counts))}">${boxes}</svg>
<ul class="legend">${legend}</ul>`;
}

function box(state: State, x: number, width: number): Html {
  const at = html`x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="16"`;
  const [color, pattern] = COLORS[state] ?? ['open', 'mirrored'];
  const hatching = pattern === undefined ? '' : html`<rect class="striped" ${at} fill="url(#${pattern})"/>`;
  return html`<rect class="${color}" ${at}/>${hatching}`;
}

/** Commands that the page may run. */
const COMMANDS: ReadonlySet<unknown> = new Set([...NEXT_STEPS, 'importChanges', 'exportTasks', 'showDetails']);

function actions({ page: { counts }, why }: PageContent): Html[] {
  const button = (command: string, title: string, isFirst: boolean) =>
    html`<button id="${command}" data-command="${command}" class="${isFirst ? 'primary' : 'secondary'}">${title}</button>`;
  return [
    ...nextStepsOf(counts, why).map((step, index) => button(step, commandTitle(step), index === 0)),
    button('importChanges', commandTitle('importChanges'), false),
    button('exportTasks', commandTitle('exportTasks'), false),
  ];
}

function problems({ page: { batch, reasons }, rows }: PageContent): Html {
  const folders = repeatedFolders([...rows.values()], () => batch.folder);
  const shown = reasons.map(({ reason, count, files }, index) => {
    const known = files.flatMap((file) => rows.get(file) ?? []).toSorted((a, b) => naturally.compare(a.name, b.name));
    const items = known.map(
      (row) =>
        html`<li><button id="file-${row.id}" class="link" data-command="showDetails" data-key="${row.id}">${rowLabel(row)}</button> <span class="folder">${folders.get(row.id) ?? ''}</span></li>`,
    );
    const rest = count - items.length;
    const more = rest === 0 ? '' : html`<li>${l10n.t('… and {0} more', formatCount(rest))}</li>`;
    return html`<details id="reason-${reason}"${index === 0 ? html` open` : ''}><summary id="reason-${reason}-summary">${known[0] === undefined ? '' : formatProblem(known[0])} <span class="count">${formatCount(count)}</span></summary><ul class="files">${items}${more}</ul></details>`;
  });
  // The store lists only the most frequent reasons.
  const rest = (reasons[0]?.total ?? 0) - reasons.reduce((total, { count }) => total + count, 0);
  const more = rest > 0 ? html`<p>${l10n.t('… and {0} more', formatCount(rest))}</p>` : '';
  return shown.length === 0 ? html`` : html`<h2>${l10n.t('Problems')}</h2>${shown}${more}`;
}

/** A chart of uploaded and finished files over time, with a table that shows the same numbers. */
function chart({ fromMs, toMs, uploaded, finished }: BatchPage['course'], total: number): Html {
  const [width, height, tableRows] = [600, 140, 10];
  const path = (counts: readonly number[]) =>
    `M0,${height} L${counts.map((count, index) => `${(((index + 1) * width) / counts.length).toFixed(1)},${(height - (count / total) * height).toFixed(1)}`).join(' L')}`;
  const sample = (name: string) =>
    html`<svg class="sample" viewBox="0 0 20 10" aria-hidden="true"><path class="${name} line" d="M0,5 L20,5"/></svg>`;
  const last = (counts: readonly number[]) => formatCount(counts.at(-1) ?? 0);
  const words = l10n.t(
    'Uploaded: {0} of {1}, finished: {2}, within {3}',
    last(uploaded),
    formatCount(total),
    last(finished),
    formatDuration(toMs - fromMs),
  );
  const rows = Array.from({ length: tableRows }, (_, row) => {
    const part = Math.ceil(((row + 1) * uploaded.length) / tableRows) - 1;
    const atMs = fromMs + ((toMs - fromMs) * (part + 1)) / uploaded.length;
    return [formatDateTime(atMs), formatCount(uploaded[part] ?? 0), formatCount(finished[part] ?? 0)];
  });
  const titles = [l10n.t('Time'), l10n.t('Uploaded'), l10n.t('Finished')];
  return html`<h2>${l10n.t('Last Import')}</h2>
<figure><div class="axis">${l10n.t('files: {0}', formatCount(total))}</div>
<svg class="course" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${words}">
<path class="ended area" d="${path(finished)} L${width},${height} Z"/><path class="uploaded line" d="${path(uploaded)}"/><path class="ended line" d="${path(finished)}"/></svg>
<div class="axis"><span>${formatTime(fromMs)}</span><span>${formatTime(toMs)}</span></div>
<figcaption><span>${sample('uploaded')} ${l10n.t('Uploaded')}</span><span>${sample('ended')} ${l10n.t('Finished, as seen by status checks')}</span></figcaption></figure>
<details id="course-table"><summary id="course-table-summary">${l10n.t('Show as Table')}</summary>${table(titles, rows)}</details>`;
}

function runTable(runs: readonly RunRow[]): Html {
  const rows = runs.toReversed().map(({ beganMs, endedMs, sums }) => {
    const isEnded = !sums.queued && !sums.sending;
    // Nothing was queued if another import of the same files started first.
    const duration = isEnded ? formatDuration((endedMs ?? beganMs) - beganMs) : l10n.t('not ended');
    const result = (Object.entries(sums) as [ImportOutcome, number][]).flatMap(([outcome, count]) =>
      count === 0 ? [] : l10n.t('{0}: {1}', formatOutcome(outcome), formatCount(count)),
    );
    return [formatDateTime(beganMs), duration, formatCount(sum(sums)), result.join(' · ')];
  });
  const titles = [l10n.t('Started'), l10n.t('Duration'), l10n.t('Files'), l10n.t('Result')];
  return html`<h2>${l10n.t('Imports')}</h2>${table(titles, rows)}`;
}

function skippedTable(newest: RunRow | undefined): Html {
  const skipped = Object.entries(newest?.skipped ?? {});
  if (skipped.length === 0) return html``;
  const rows = skipped.map(([reason, count]) => [reason, formatCount(count)]);
  return html`<h2>${l10n.t('Skipped by the Last Import')}</h2>${table([], rows)}`;
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): Html {
  const head = titles.map((title) => html`<th scope="col">${title}</th>`);
  const body = rows.map(
    ([first = '', ...rest]) =>
      html`<tr><th scope="row">${first}</th>${rest.map((text) => html`<td>${text}</td>`)}</tr>`,
  );
  return html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** HTML in which all untrusted text is escaped. Only {@link html} creates it. */
class Html {
  constructor(readonly text: string) {}
}

/** Template tag for HTML. Escapes text so that it is also safe inside double-quoted attributes. */
function html(texts: TemplateStringsArray, ...parts: readonly (string | number | Html | readonly Html[])[]): Html {
  const shown = parts.map((part) => {
    if (part instanceof Html) return part.text;
    if (typeof part === 'object') return part.map(({ text }) => text).join('');
    return visibleText(String(part)).replaceAll(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  });
  return new Html(texts.map((text, index) => text + (shown[index] ?? '')).join(''));
}
