import * as vscode from 'vscode';
import { registerDocumentFiles } from './documentFiles';

/** What the schemes of all our own documents begin with; package.json names it too. */
const OWN_SCHEMES = 'dataset-import-';

/** Whether an address is that of a document which this extension generates. */
export function isOwnDocument({ scheme }: vscode.Uri): boolean {
  return scheme.startsWith(OWN_SCHEMES);
}

/** Read-only documents whose text is generated when they are opened, by what is loaded then. */
export class GeneratedDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly scheme: `${typeof OWN_SCHEMES}${string}`;
  readonly #load: () => Promise<unknown>;
  #text: (uri: vscode.Uri) => string | Promise<string> = () => '';
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  /**
   * Once `load` resolves, `provide` was called. With `readOnlyMessage`, which is shown to a user who types, VS Code reopens
   * their tabs when a window is reloaded; their addresses must suffice to generate them.
   */
  constructor(scheme: `${typeof OWN_SCHEMES}${string}`, load: () => Promise<unknown>, readOnlyMessage?: string) {
    this.scheme = scheme;
    this.#load = load;
    this.#registration =
      readOnlyMessage === undefined
        ? vscode.workspace.registerTextDocumentContentProvider(scheme, this)
        : registerDocumentFiles(this, readOnlyMessage);
  }

  /** Sets what generates the texts. */
  provide(text: (uri: vscode.Uri) => string | Promise<string>): void {
    this.#text = text;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    await this.#load();
    return this.#text(uri);
  }

  /** Shows the document with this path, in this language or that of its file extension. */
  async show(path: string, { query = '', preserveFocus = false, language = '' } = {}): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: this.scheme, path, query }));
    if (language !== '') await vscode.languages.setTextDocumentLanguage(document, language);
    this.#changed.fire(document.uri);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus });
  }

  /** Regenerates the text of the open documents that match. */
  refresh(matches: (uri: vscode.Uri) => boolean = () => true): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === this.scheme && matches(uri)) this.#changed.fire(uri);
  }

  dispose(): void {
    vscode.Disposable.from(this.#registration, this.#changed).dispose();
  }
}
