import * as vscode from 'vscode';

/** A tree's rows, and the handler for drops on them. */
export interface LoadedTree<Row> {
  readonly rows: vscode.TreeDataProvider<Row>;
  readonly drops: Required<Pick<vscode.TreeDragAndDropController<Row>, 'handleDrop'>>;
}

/** How long VS Code may take to request the visible rows after a change event. */
const FIRE_AGAIN_MS = 2000;

/** A tree whose rows and drop handler are loaded when VS Code first needs them. */
export class LazyTree<Row>
  implements vscode.TreeDataProvider<Row>, vscode.TreeDragAndDropController<Row>, vscode.Disposable
{
  /** `files` is for files dropped in a browser, which have contents but no paths. */
  readonly dropMimeTypes = ['text/uri-list', 'files'];
  readonly dragMimeTypes = [];
  readonly #changed = new vscode.EventEmitter<Row | Row[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #loaded: Promise<LoadedTree<Row>> | undefined;
  /** Whether we have fired a change event for all rows since VS Code last requested the top level. */
  #isStale = false;
  #firingAgain: NodeJS.Timeout | undefined;

  constructor(private readonly load: () => Promise<LoadedTree<Row>>) {}

  async getChildren(parent?: Row): Promise<Row[]> {
    if (parent === undefined) this.#isStale = false;
    return (await (await this.#tree()).rows.getChildren(parent)) ?? [];
  }

  async getTreeItem(row: Row): Promise<vscode.TreeItem> {
    return (await this.#tree()).rows.getTreeItem(row);
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row, token: vscode.CancellationToken): Promise<vscode.TreeItem> {
    return (await (await this.#tree()).rows.resolveTreeItem?.(item, row, token)) ?? item;
  }

  async handleDrop(target: Row | undefined, data: vscode.DataTransfer, token: vscode.CancellationToken): Promise<void> {
    await (await this.#tree()).drops.handleDrop(target, data, token);
  }

  dispose(): void {
    clearTimeout(this.#firingAgain);
    this.#changed.dispose();
  }

  #tree(): Promise<LoadedTree<Row>> {
    this.#loaded ??= this.load().then((tree) => {
      tree.rows.onDidChangeTreeData?.((changed) => this.#change(changed ?? undefined));
      return tree;
    });
    return this.#loaded;
  }

  /**
   * After a change event for all rows, VS Code ignores change events for single rows until it has requested all rows
   * again. It also misses an event that fires while it is reading the rows, so we fire the event again with the next
   * change or after a delay.
   */
  #change(changed: Row | Row[] | undefined): void {
    const fired = this.#isStale ? undefined : changed;
    this.#isStale = fired === undefined;
    this.#changed.fire(fired);
    if (fired !== undefined) return;
    clearTimeout(this.#firingAgain);
    this.#firingAgain = setTimeout(() => this.#isStale && this.#changed.fire(undefined), FIRE_AGAIN_MS);
  }
}
