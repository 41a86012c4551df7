import * as vscode from 'vscode';
import type { DestinationRow, FileRow, Filter } from '../../tasks/store/model';
import { StoreFault } from '../../tasks/store/storeFault';
import type { Clock } from '../../tasks/timing/clock';
import { poll, wait } from '../../tasks/timing/wait';
import { commandTitle } from '../platform/commandTitle';
import { setContextKey } from '../platform/contextKeys';
import { errorText, formatFault } from '../platform/formatError';
import { plainText, visibleItem } from '../platform/outsideText';
import type { WhyWaits } from '../wording/causes';
import type { TaskArrangement } from './arrangement';
import { type Arrangement, type MoreNode, ROOT, ShownRows, type ShownRowsStore, type TasksNode } from './shownRows';
import { groupItem, type RowPlace, rowItem, rowTooltip } from './treeItems';

/** Min time between change events. VS Code debounces tree changes by 200 ms, so frequent events would starve the tree. */
const PAUSE_MS = 400;
/** Pause for at least this multiple of an update's duration, because uploads use the same store. */
const MIN_REST = 9;

export interface TasksTreePorts {
  readonly store: ShownRowsStore;
  readonly clock: Clock;
  /** Why a destination sends nothing or checks no tasks. */
  whyWaits(destination: DestinationRow): WhyWaits | undefined;
  /** Bytes sent so far by this window's uploads, by row id. */
  progress(): ReadonlyMap<number, number>;
  /** Called after each read, with its error if it failed. */
  onRead(error: unknown): void;
}

/** Converts nodes to filters: one for all rows, one for each group. */
export function filtersOf(nodes: readonly TasksNode[]): readonly Filter[] {
  const files = nodes.flatMap((node) => ('file' in node ? [node.file] : []));
  const groups = nodes.flatMap((node) => ('group' in node ? [node.filter] : []));
  return files.length > 0 ? [{ files }, ...groups] : groups;
}

/**
 * Provides the items of the tree. While VS Code redraws a group, it doesn't know the rows in it, so commands on them receive
 * no row. To keep that time short, we read everything before we fire a change, and fire only for nodes that look different.
 */
export class TasksTree implements vscode.TreeDataProvider<TasksNode>, vscode.Disposable {
  readonly #ports: TasksTreePorts;
  readonly #rows: ShownRows;
  readonly #changed = new vscode.EventEmitter<TasksNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** Each node's item as JSON, as VS Code last drew it. */
  readonly #drawn = new WeakMap<TasksNode, string>();
  /** The nodes that VS Code last received for each level, including levels that have been closed since. */
  readonly #given = new Map<string, readonly TasksNode[]>();
  #isVisible = true;
  #isWanted = false;
  #isRunning = false;
  readonly #closing = new AbortController();

  constructor(ports: TasksTreePorts, arrangement: Arrangement) {
    this.#ports = ports;
    this.#rows = new ShownRows(ports.store, arrangement);
  }

  /** Whether no row matches the filter. */
  get hasNoMatch(): boolean {
    return this.#rows.arrangement.filter !== undefined && this.#rows.levels.get(ROOT)?.length === 0;
  }

  /** Call this if rows, upload progress, pauses or displayed ages may have changed. */
  refresh(): void {
    this.#isWanted = true;
    if (!this.#isRunning) void this.#run();
  }

  /** While the view is hidden, nothing is read. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (isVisible) this.refresh();
  }

  /** VS Code may have cached the rows of a group that the user opens, so update them. */
  setOpen(node: TasksNode, isOpen: boolean): void {
    if (!('group' in node)) return;
    this.#rows.setOpen(node, isOpen);
    if (isOpen) void this.#update();
  }

  arrange(arrangement: Arrangement): void {
    this.#rows.arrange(arrangement);
    void this.#update();
  }

  showMore(node: MoreNode): void {
    this.#rows.showMore(node);
    void this.#update();
  }

  async getChildren(node?: TasksNode): Promise<TasksNode[]> {
    if (node !== undefined && !('group' in node)) return [];
    let children: readonly TasksNode[] = [];
    await this.#reading(async () => {
      children = await this.#rows.children(node);
      this.#given.set(node?.group ?? ROOT, children);
    });
    return [...children];
  }

  getTreeItem(node: TasksNode): vscode.TreeItem {
    const item = this.#item(node);
    this.#drawn.set(node, JSON.stringify(item));
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, node: TasksNode): vscode.TreeItem {
    const row = 'file' in node ? this.#rows.row(node) : undefined;
    if (row !== undefined) item.tooltip = rowTooltip(row, this.#place(row));
    return visibleItem(item);
  }

  dispose(): void {
    this.#closing.abort();
    this.#changed.dispose();
  }

  /** Updates immediately, then at most once per pause. With many rows, a text filter keeps the store busy. */
  async #run(): Promise<void> {
    const { clock } = this.#ports;
    const { signal } = this.#closing;
    this.#isRunning = true;
    while (this.#isWanted && !signal.aborted) {
      this.#isWanted = false;
      const beganMs = clock.monotonicMs();
      if (this.#isVisible) await this.#update();
      await wait(clock, Math.max(PAUSE_MS, MIN_REST * (clock.monotonicMs() - beganMs)), signal);
    }
    this.#isRunning = false;
  }

  /** Reads changes, then fires for nodes that look different or have other children. */
  async #update(): Promise<void> {
    if (this.#rows.levels.size === 0) return;
    await this.#reading(() => this.#rows.update());
    if (this.#closing.signal.aborted) return;
    const { levels } = this.#rows;
    const moved = [...levels].flatMap(([id, nodes]) => (isSame(nodes, this.#given.get(id)) ? [] : [id]));
    const shown = [...levels.values()].flatMap((nodes) => nodes ?? []);
    const changed = [
      ...moved.flatMap((id) => this.#rows.groupNode(id) ?? []),
      ...shown.filter((node) => this.#looksDifferent(node)),
    ];
    if (moved.includes(ROOT)) this.#changed.fire(undefined);
    else if (changed.length > 0) this.#changed.fire([...new Set(changed)]);
  }

  #looksDifferent(node: TasksNode): boolean {
    const drawn = this.#drawn.get(node);
    return drawn !== undefined && drawn !== JSON.stringify(this.#item(node));
  }

  async #reading(read: () => Promise<void>): Promise<void> {
    try {
      await read();
      this.#ports.onRead(undefined);
    } catch (error) {
      this.#ports.onRead(error);
    }
  }

  #item(node: TasksNode): vscode.TreeItem {
    return visibleItem(this.#rawItem(node));
  }

  #rawItem(node: TasksNode): vscode.TreeItem {
    if ('moreOf' in node) return moreItem(node);
    if ('file' in node) {
      const row = this.#rows.row(node);
      return row === undefined ? new vscode.TreeItem('') : rowItem(row, this.#place(row));
    }
    const group = this.#rows.group(node);
    if (group === undefined) return new vscode.TreeItem('');
    const { filter } = this.#rows.arrangement;
    return groupItem(group, {
      // A filtered group has another id, so that VS Code expands it if few rows match.
      id: filter === undefined ? node.group : `${node.group} ${JSON.stringify(filter)}`,
      nowMs: this.#ports.clock.now(),
      why: group.destination && this.#ports.whyWaits(group.destination),
      namesDataset: this.#rows.hasSeveralDatasets,
      isFiltered: filter !== undefined,
    });
  }

  #place(row: FileRow): RowPlace {
    const destination = this.#rows.destination(row.destination);
    return {
      nowMs: this.#ports.clock.now(),
      why: destination && this.#ports.whyWaits(destination),
      sentBytes: this.#ports.progress().get(row.id),
      folder: this.#rows.folder({ file: row.id }),
      namesDataset: this.#rows.hasSeveralDatasets,
      isInBatch: this.#rows.arrangement.groupBy === 'batch' && row.batch !== null,
    };
  }
}

/** Time between updates of the displayed ages. */
const AGES_PAUSE_MS = 60_000;

interface TasksViewPorts extends Omit<TasksTreePorts, 'onRead'> {
  readonly view: vscode.TreeView<TasksNode>;
  readonly arrangement: TaskArrangement;
}

/** Connects the tree to the view, its filter and its visibility. */
export class TasksView implements vscode.Disposable {
  readonly tree: TasksTree;
  readonly #ports: TasksViewPorts;
  #stopAges: (() => void) | undefined;
  readonly #subscriptions: vscode.Disposable;
  /** Why the store can't be read. Empty if it can be read. */
  #fault = '';

  constructor(ports: TasksViewPorts) {
    const { view, arrangement } = ports;
    this.#ports = ports;
    this.tree = new TasksTree({ ...ports, onRead: (error) => this.#onRead(error) }, arrangement.current);
    this.#subscriptions = vscode.Disposable.from(
      this.tree,
      arrangement.onDidChange(() => this.#arrange()),
      view.onDidChangeVisibility(({ visible }) => this.#setVisible(visible)),
      view.onDidExpandElement(({ element }) => this.tree.setOpen(element, true)),
      view.onDidCollapseElement(({ element }) => this.tree.setOpen(element, false)),
    );
    this.#setVisible(view.visible);
  }

  get selection(): readonly TasksNode[] {
    return this.#ports.view.selection;
  }

  refresh(): void {
    this.tree.refresh();
  }

  showMore(node: MoreNode): void {
    this.tree.showMore(node);
  }

  dispose(): void {
    this.#stopAges?.();
    this.#subscriptions.dispose();
  }

  #arrange(): void {
    const { arrangement, view } = this.#ports;
    this.tree.arrange(arrangement.current);
    view.description = plainText(arrangement.filterLabel);
    void setContextKey('tasksFiltered', arrangement.current.filter !== undefined);
  }

  #setVisible(isVisible: boolean): void {
    this.tree.setVisible(isVisible);
    this.#stopAges?.();
    this.#stopAges = isVisible ? poll(this.#ports.clock, AGES_PAUSE_MS, async () => this.refresh()) : undefined;
  }

  #onRead(error: unknown): void {
    const { view } = this.#ports;
    if (error === undefined) this.#fault = '';
    else this.#fault = plainText(error instanceof StoreFault ? formatFault(error) : errorText(error));
    const message = this.#fault || (this.tree.hasNoMatch ? vscode.l10n.t('No tasks match the filter.') : '');
    if ((view.message ?? '') !== message) view.message = message;
  }
}

/** Whether VS Code already has these nodes, or hasn't asked for this level yet. */
function isSame(nodes: readonly TasksNode[] | undefined, given: readonly TasksNode[] | undefined): boolean {
  if (nodes === undefined || given === undefined) return true;
  return nodes.length === given.length && nodes.every((node, at) => node === given[at]);
}

function moreItem(node: MoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(commandTitle('showMore'));
  item.id = `more of ${node.moreOf}`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'datasetImport.showMore', title: commandTitle('showMore'), arguments: [node] };
  return item;
}
