import * as vscode from 'vscode';

interface Documents {
  readonly scheme: string;
  readonly onDidChange: vscode.Event<vscode.Uri>;
  provideTextDocumentContent(uri: vscode.Uri): Promise<string>;
}

/** Offers generated documents as files; `readOnlyMessage` is shown to a user who types in them. */
export function registerDocumentFiles(documents: Documents, readOnlyMessage: string): vscode.Disposable {
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
  readonly #documents: Documents;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #subscription: vscode.Disposable;
  /** VS Code reads a file again only where its time has grown, which must hold across extension hosts. */
  #changedMs = Date.now();
  readonly onDidChangeFile = this.#changed.event;

  constructor(documents: Documents) {
    this.#documents = documents;
    this.#subscription = documents.onDidChange((uri) => {
      this.#changedMs = Math.max(this.#changedMs + 1, Date.now());
      this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    });
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length: size } = await this.readFile(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: this.#changedMs, size };
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

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
