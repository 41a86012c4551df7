import {
  type CancellationToken,
  type DataTransfer,
  type Disposable,
  EventEmitter,
  type TreeDataProvider,
  type TreeDragAndDropController,
  type TreeItem,
} from 'vscode';

type Drops<Row> = Pick<TreeDragAndDropController<Row>, 'handleDrop'>;

/** By then VS Code has asked for the rows again where it shows them. */
const TELL_AGAIN_MS = 2000;

/** A tree whose rows are loaded when VS Code first asks for them, and what takes drops on it with them. */
export class LazyTree<Row> implements TreeDataProvider<Row>, TreeDragAndDropController<Row>, Disposable {
  readonly dropMimeTypes: readonly string[];
  readonly dragMimeTypes = [];
  readonly #load: () => Promise<unknown>;
  readonly #changed = new EventEmitter<Row | Row[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #rows: TreeDataProvider<Row> | undefined;
  /** Whether VS Code was told that all rows have changed, and has not asked for those of the first level since. */
  #isForgotten = false;
  #telling: NodeJS.Timeout | undefined;
  #drops: Drops<Row> | undefined;

  /** Once `load` resolves, `provide` was called. */
  constructor(load: () => Promise<unknown>, dropMimeTypes: readonly string[] = []) {
    this.#load = load;
    this.dropMimeTypes = dropMimeTypes;
  }

  /** Sets what the tree shows and what takes drops on it, until both end with the window. */
  provide(rows: TreeDataProvider<Row>, drops?: Drops<Row>): void {
    this.#rows = rows;
    this.#drops = drops;
    rows.onDidChangeTreeData?.((changed) => this.#change(changed ?? undefined));
  }

  async getChildren(parent?: Row): Promise<Row[]> {
    if (parent === undefined) this.#isForgotten = false;
    return (await (await this.#loaded()).getChildren(parent)) ?? [];
  }

  async getTreeItem(row: Row): Promise<TreeItem> {
    return (await this.#loaded()).getTreeItem(row);
  }

  async getParent(row: Row): Promise<Row | undefined> {
    return (await (await this.#loaded()).getParent?.(row)) ?? undefined;
  }

  async resolveTreeItem(item: TreeItem, row: Row, token: CancellationToken): Promise<TreeItem> {
    return (await (await this.#loaded()).resolveTreeItem?.(item, row, token)) ?? item;
  }

  async handleDrop(target: Row | undefined, data: DataTransfer, token: CancellationToken): Promise<void> {
    await this.#load();
    await this.#drops?.handleDrop?.(target, data, token);
  }

  dispose(): void {
    clearTimeout(this.#telling);
    this.#changed.dispose();
  }

  /**
   * Told that all rows have changed, VS Code drops them, and ignores the change of a single one until it has asked for them
   * again. If it is told while it reads them, it does not ask: then it is told again, with the next change or after a while.
   */
  #change(changed: Row | Row[] | undefined): void {
    const fired = this.#isForgotten ? undefined : changed;
    this.#isForgotten = fired === undefined;
    this.#changed.fire(fired);
    if (fired !== undefined) return;
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => this.#isForgotten && this.#changed.fire(undefined), TELL_AGAIN_MS);
  }

  async #loaded(): Promise<TreeDataProvider<Row>> {
    await this.#load();
    if (this.#rows === undefined) throw new Error('No rows were provided.');
    return this.#rows;
  }
}
