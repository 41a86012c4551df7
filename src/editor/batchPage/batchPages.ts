import { randomUUID } from 'node:crypto';
import { commands, Disposable, Uri, type Webview, type WebviewPanel } from 'vscode';
import { StoreError } from '../../tasks/database/storeError';
import { Polling } from '../../tasks/timing/polling';
import { wait } from '../../tasks/timing/wait';
import { formatStore } from '../platform/formatError';
import { listen } from '../platform/listen';
import { window } from '../platform/window';
import type { Services } from '../services/services';
import { BATCH_PAGE } from '../start/views';
import { formatBatchPage, formatGone, type PageCommand, type PageSections, SECTIONS } from './formatBatchPage';
import { html } from './html';

/** The time goes on in the chart of what is under way. */
const POLL_MS = 5000;
/** Min time between two updates of a page; and of a large batch, so many times as long as reading it takes. */
const PAUSE_MS = 500;
const PAUSE_FACTOR = 10;

/** What the page may ask for. */
const COMMANDS: ReadonlySet<unknown> = new Set<PageCommand | 'showDetails'>([
  ...(['cancelImport', 'tryNow', 'retryFailed', 'retryUnconfirmed', 'importChanges', 'exportTasks'] as const),
  'showDetails',
]);

/** The services of the page. */
type PageServices = Pick<Services, 'list' | 'queue' | 'clock' | 'messages'>;

/** The pages about batches, one tab for each. */
export class BatchPages implements Disposable {
  readonly #services: PageServices;
  readonly #media: Uri;
  readonly #pages = new Map<string, OpenPage>();
  readonly #subscription: Disposable;

  /** `media` is the folder with the script and the style of the pages. */
  constructor(services: PageServices, media: Uri) {
    this.#services = services;
    this.#media = media;
    const { list, queue } = services;
    this.#subscription = Disposable.from(
      listen(list.events, 'change', (change) => {
        if (change.kind === 'list') this.#updateAll();
        else for (const { batch } of change.tasks) if (batch !== undefined) this.#pages.get(batch.id)?.update();
      }),
      listen(queue.events, 'pausesChanged', () => this.#updateAll()),
    );
  }

  /** Opens the page of a batch, or shows it where it is open. */
  async show(batchId: string): Promise<void> {
    const [batch] = await this.#services.list.history.batches([batchId]);
    const open = this.#pages.get(batchId);
    if (open !== undefined) open.reveal();
    else if (batch !== undefined) this.restore(window.createWebviewPanel(BATCH_PAGE, batch.label), batchId);
  }

  /** Fills a panel with the page of a batch, also one that VS Code shows again after a reload. */
  restore(panel: WebviewPanel, batchId: string): void {
    const page = new OpenPage(panel, batchId, this.#services, this.#media);
    this.#pages.set(batchId, page);
    panel.onDidDispose(() => {
      page.dispose();
      this.#pages.delete(batchId);
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const page of this.#pages.values()) page.dispose();
  }

  #updateAll(): void {
    for (const page of this.#pages.values()) page.update();
  }
}

/** The page of a batch in its panel. It is read only while it is on screen. */
class OpenPage implements Disposable {
  readonly #panel: WebviewPanel;
  readonly #batchId: string;
  readonly #services: PageServices;
  readonly #ended = new AbortController();
  readonly #polling = new Polling(async () => this.update(), POLL_MS);
  readonly #subscription: Disposable;
  /** Whether the script of the page has begun to listen, which it does anew each time that the page comes on screen. */
  #isReady = false;
  #isOutdated = false;
  #isReading = false;

  constructor(panel: WebviewPanel, batchId: string, services: PageServices, media: Uri) {
    this.#panel = panel;
    this.#batchId = batchId;
    this.#services = services;
    this.#subscription = Disposable.from(
      panel.webview.onDidReceiveMessage((message: unknown) => this.#onMessage(message)),
      panel.onDidChangeViewState(() => {
        this.#isReady &&= panel.visible;
      }),
    );
    panel.webview.options = { enableScripts: true, localResourceRoots: [media] };
    panel.webview.html = documentOf(panel.webview, media, batchId);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Shows what has changed, at once or after a while. */
  update(): void {
    this.#isOutdated = true;
    if (this.#isReading || !this.#isReady) return;
    this.#isReading = true;
    void this.#read()
      .catch((error: unknown) => this.#services.messages.note(`page of a batch: ${error}`))
      .finally(() => {
        this.#isReading = false;
      });
  }

  dispose(): void {
    this.#ended.abort();
    this.#polling.stop();
    this.#subscription.dispose();
  }

  async #read(): Promise<void> {
    while (this.#isOutdated && this.#isReady && !this.#ended.signal.aborted) {
      this.#isOutdated = false;
      const beganMs = performance.now();
      const sections = await this.#sections();
      const tookMs = performance.now() - beganMs;
      if (this.#ended.signal.aborted) return;
      await this.#panel.webview.postMessage({ sections });
      await wait(this.#services.clock, Math.max(PAUSE_MS, PAUSE_FACTOR * tookMs), this.#ended.signal);
    }
  }

  async #sections(): Promise<PageSections> {
    const { list, queue, clock } = this.#services;
    try {
      const page = await list.history.batchPage(this.#batchId, clock.now());
      const isUnderWay = page?.runs.some(({ endedMs }) => endedMs === undefined) === true;
      isUnderWay ? this.#polling.start() : this.#polling.stop();
      return page === undefined ? formatGone() : formatBatchPage(page, queue.pauseOf(page.summary.first));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { ...formatGone(), head: html`<p>${formatStore(error)}</p>`.text };
    }
  }

  #onMessage(message: unknown): void {
    const { command, key } = (message ?? {}) as { readonly command?: unknown; readonly key?: unknown };
    if (command === 'ready') {
      this.#isReady = true;
      this.update();
    }
    if (!COMMANDS.has(command)) return;
    const target = command === 'showDetails' ? { taskKey: Number(key) } : { batchId: this.#batchId };
    void commands.executeCommand(`datasetImport.${command}`, target);
  }
}

/** The empty page. Nothing but its own script and style runs or is loaded in it. */
function documentOf(webview: Webview, media: Uri, batchId: string): string {
  const nonce = randomUUID();
  const [script, style] = ['batchPage.js', 'batchPage.css'].map((name) =>
    String(webview.asWebviewUri(Uri.joinPath(media, name))),
  );
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  const sections = SECTIONS.map((id) => html`<section id="${id}"></section>`);
  return html`<!DOCTYPE html>
<html><head><meta charset="UTF-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1.0"><link rel="stylesheet" href="${style ?? ''}"></head>
<body data-batch="${batchId}"><main>
<svg class="patterns" aria-hidden="true"><defs>
<pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3" height="6"/></pattern>
</defs></svg>${sections}</main><script nonce="${nonce}" src="${script ?? ''}"></script></body></html>`.text;
}
