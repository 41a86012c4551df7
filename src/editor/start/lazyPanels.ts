import { type Disposable, type WebviewPanel, type WebviewPanelSerializer, window } from 'vscode';

/** Webview panels that VS Code restores after a reload. Their content is loaded then. */
export class LazyPanels implements WebviewPanelSerializer, Disposable {
  readonly #load: () => Promise<unknown>;
  #restore: (panel: WebviewPanel, batch: number) => void = (panel) => panel.dispose();
  readonly #registration: Disposable;

  /** `load` must call `provide`. */
  constructor(viewType: string, load: () => Promise<unknown>) {
    this.#load = load;
    this.#registration = window.registerWebviewPanelSerializer(viewType, this);
  }

  /** `restore` fills a panel with the page of a batch. */
  provide(restore: (panel: WebviewPanel, batch: number) => void): void {
    this.#restore = restore;
  }

  async deserializeWebviewPanel(panel: WebviewPanel, state: unknown): Promise<void> {
    await this.#load();
    const batch = Number((state as { readonly batchId?: unknown } | null | undefined)?.batchId);
    if (Number.isInteger(batch)) this.#restore(panel, batch);
    else panel.dispose();
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
