import * as vscode from 'vscode';

/** The scheme of documents that this extension generates; package.json names how they all begin. */
type OwnScheme = `dataset-import-${string}`;

/** Read-only documents whose text is generated when they are opened, by what is loaded then. */
export class GeneratedDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly scheme: OwnScheme;
  readonly #load: () => Promise<unknown>;
  #text: (uri: vscode.Uri) => string | Promise<string> = () => '';
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  /**
   * Once `load` resolves, `provide` was called. With `readOnlyMessage`, which is shown to a user who types, VS Code reopens
   * their tabs when a window is reloaded; their addresses must suffice to generate them.
   */
  constructor(scheme: OwnScheme, load: () => Promise<unknown>, readOnlyMessage?: string) {
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

  /** Shows the document with this path. */
  async show(path: string, { query = '', preserveFocus = false } = {}): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: this.scheme, path, query }));
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

/** Offers generated documents as files; `readOnlyMessage` is shown to a user who types in them. */
function registerDocumentFiles(documents: GeneratedDocuments, readOnlyMessage: string): vscode.Disposable {
  const files = new DocumentFiles(documents);
  const isReadonly = new vscode.MarkdownString(readOnlyMessage);
  return vscode.Disposable.from(
    vscode.workspace.registerFileSystemProvider(documents.scheme, files, { isReadonly, isCaseSensitive: true }),
    files,
  );
}

/**
 * Generated documents as files that cannot be written. VS Code reopens the tabs of files when a window is reloaded, and no
 * tabs of a text document content provider.
 */
class DocumentFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #documents: GeneratedDocuments;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #subscription: vscode.Disposable;
  readonly createDirectory = refuse;
  readonly writeFile = refuse;
  readonly delete = refuse;
  readonly rename = refuse;
  /** VS Code reads a file again only where its time has grown, which must hold across extension hosts. */
  #changedMs = Date.now();
  readonly onDidChangeFile = this.#changed.event;

  constructor(documents: GeneratedDocuments) {
    this.#documents = documents;
    this.#subscription = documents.onDidChange((uri) => {
      this.#changedMs = Math.max(this.#changedMs + 1, Date.now());
      this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    // VS Code may read the text before its size: what changes between them must count as newer than both.
    const mtime = this.#changedMs;
    const { length: size } = await this.readFile(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from(await this.#documents.provideTextDocumentContent(uri));
  }

  /** All changes are reported, whatever is watched. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  /** The breadcrumbs ask for it. */
  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
