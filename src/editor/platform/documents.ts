import { type Disposable, EventEmitter, type TextDocumentContentProvider, Uri, window, workspace } from 'vscode';

/** Read-only documents whose text is generated from their URI. VS Code doesn't reopen them after a reload. */
export class GeneratedDocuments implements TextDocumentContentProvider, Disposable {
  readonly #changed = new EventEmitter<Uri>();
  readonly #registration: Disposable;
  readonly onDidChange = this.#changed.event;

  /** `when` clauses in package.json recognize our documents by the scheme prefix `dataset-import-`. */
  constructor(
    readonly scheme: `dataset-import-${string}`,
    readonly provideTextDocumentContent: (uri: Uri) => Promise<string>,
  ) {
    this.#registration = workspace.registerTextDocumentContentProvider(scheme, this);
  }

  async show(path: string, { query = '', preserveFocus = false } = {}): Promise<void> {
    const document = await workspace.openTextDocument(Uri.from({ scheme: this.scheme, path, query }));
    this.#changed.fire(document.uri);
    await window.showTextDocument(document, { preview: true, preserveFocus });
  }

  /** Regenerates the text of all open documents that match. */
  refresh(matches: (uri: Uri) => boolean): void {
    for (const { uri } of workspace.textDocuments)
      if (uri.scheme === this.scheme && matches(uri)) this.#changed.fire(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
