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

/** VS Code asks for visible rows again within this time. */
const FIRE_AGAIN_MS = 2000;

/** A tree whose rows and drop handler are loaded when VS Code first asks for rows. */
export class LazyTree<Row> implements TreeDataProvider<Row>, TreeDragAndDropController<Row>, Disposable {
  readonly dropMimeTypes: readonly string[];
  readonly dragMimeTypes = [];
  readonly #load: () => Promise<unknown>;
  readonly #changed = new EventEmitter<Row | Row[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #rows: TreeDataProvider<Row> | undefined;
  /** Whether we fired a change of all rows, and VS Code hasn't asked for the first level since. */
  #isStale = false;
  #firingAgain: NodeJS.Timeout | undefined;
  #drops: Drops<Row> | undefined;

  /** `load` must call `provide`. */
  constructor(load: () => Promise<unknown>, dropMimeTypes: readonly string[] = []) {
    this.#load = load;
    this.dropMimeTypes = dropMimeTypes;
  }

  /** Sets the rows and the drop handler, both for as long as the window is open. */
  provide(rows: TreeDataProvider<Row>, drops?: Drops<Row>): void {
    this.#rows = rows;
    this.#drops = drops;
    rows.onDidChangeTreeData?.((changed) => this.#change(changed ?? undefined));
  }

  async getChildren(parent?: Row): Promise<Row[]> {
    if (parent === undefined) this.#isStale = false;
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
    clearTimeout(this.#firingAgain);
    this.#changed.dispose();
  }

  /**
   * After a change of all rows, VS Code ignores changes of single rows until it has asked for all of them again. If the event
   * comes while VS Code is reading the rows, it is lost, so we fire it again with the next change or after a while.
   */
  #change(changed: Row | Row[] | undefined): void {
    const fired = this.#isStale ? undefined : changed;
    this.#isStale = fired === undefined;
    this.#changed.fire(fired);
    if (fired !== undefined) return;
    clearTimeout(this.#firingAgain);
    this.#firingAgain = setTimeout(() => this.#isStale && this.#changed.fire(undefined), FIRE_AGAIN_MS);
  }

  async #loaded(): Promise<TreeDataProvider<Row>> {
    await this.#load();
    if (this.#rows === undefined) throw new Error('No rows were provided.');
    return this.#rows;
  }
}
