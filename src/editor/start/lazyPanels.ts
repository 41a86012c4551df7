import { type Disposable, type WebviewPanel, type WebviewPanelSerializer, window } from 'vscode';

/** Panels of a kind that VS Code shows again after a reload, filled by what is loaded then. */
export class LazyPanels implements WebviewPanelSerializer, Disposable {
  readonly #load: () => Promise<unknown>;
  #restore: (panel: WebviewPanel, batch: number) => void = (panel) => panel.dispose();
  readonly #registration: Disposable;

  /** Once `load` resolves, `provide` was called. */
  constructor(viewType: string, load: () => Promise<unknown>) {
    this.#load = load;
    this.#registration = window.registerWebviewPanelSerializer(viewType, this);
  }

  /** Sets what fills a panel. */
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
