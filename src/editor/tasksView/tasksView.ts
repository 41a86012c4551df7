import * as vscode from 'vscode';
import type { Destination, DestinationRow, FileRow, Group } from '../../tasks/store/model';
import { StoreFault } from '../../tasks/store/storeFault';
import { type Clock, wait } from '../../tasks/timing/clock';
import { commandTitle } from '../platform/actions';
import { setContextKey } from '../platform/contextKeys';
import { formatCount } from '../platform/format';
import { errorText, formatFault } from '../platform/formatFailures';
import { plainText, visibleItem } from '../platform/outsideText';
import type { WhyWaits } from '../wording/causes';
import { countIn } from '../wording/states';
import type { TaskArrangement } from './arrangement';
import { type Arrangement, type MoreNode, ROOT, ShownRows, type ShownRowsStore, type TasksNode } from './shownRows';
import { groupItem, type RowPlace, rowItem, rowTooltip } from './treeItems';

/** The minimum time between change events. VS Code debounces tree changes by 200 ms, so frequent events would starve the tree. */
const PAUSE_MS = 400;
export interface TasksViewPorts {
  readonly store: ShownRowsStore;
  readonly clock: Clock;
  /** Used to display a message if there are no rows to show. */
  readonly view: Pick<vscode.TreeView<TasksNode>, 'message'>;
  /** Explains why uploads or status checks are on hold. Returns undefined if they aren't. */
  whyWaits(destination: number): WhyWaits | undefined;
  /** How many bytes this window's uploads have sent so far, by row ID. */
  progress(): ReadonlyMap<number, number>;
}

/**
 * Provides the tree's items. While VS Code redraws a group, it doesn't know the group's rows, so commands on those rows
 * receive no row. To keep redraws short, we read everything before we fire a change event, and we fire it only for
 * nodes whose appearance or children have changed.
 */
export class TasksView implements vscode.TreeDataProvider<TasksNode>, vscode.Disposable {
  readonly #rows: ShownRows;
  readonly #changed = new vscode.EventEmitter<TasksNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** The item that VS Code last drew for each node, as JSON. */
  readonly #drawn = new WeakMap<TasksNode, string>();
  /** The nodes that VS Code last received for each level, including levels that have since been closed. */
  readonly #given = new Map<string, readonly TasksNode[]>();
  #isVisible = true;
  #isWanted = false;
  #isRunning = false;
  readonly #closing = new AbortController();

  constructor(
    private readonly ports: TasksViewPorts,
    arrangement: Arrangement,
  ) {
    this.#rows = new ShownRows(ports.store, arrangement);
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
      if (node === undefined) void setContextKey('hasNoTasks', children.length === 0);
    });
    // After an error, VS Code has an empty level, so the next successful read must announce its rows.
    this.#given.set(node?.group ?? ROOT, children);
    return [...children];
  }

  getTreeItem(node: TasksNode): vscode.TreeItem {
    const item = this.#item(node);
    this.#drawn.set(node, JSON.stringify(item));
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, node: TasksNode): vscode.TreeItem {
    const row = 'file' in node ? this.#rows.rows.get(node.file) : undefined;
    if (row !== undefined) item.tooltip = rowTooltip(row, this.#place(row));
    return visibleItem(item);
  }

  /** The destination of a shown row or group. Undefined if a group may have rows at several destinations. */
  destinationOf(node: TasksNode): Destination | undefined {
    if ('file' in node) return this.#rows.rows.get(node.file);
    return this.#rows.groups.get('group' in node ? node.group : node.moreOf)?.destination;
  }

  dispose(): void {
    this.#closing.abort();
    this.#changed.dispose();
  }

  /** Updates immediately, and then at most once per `PAUSE_MS`. */
  async #run(): Promise<void> {
    const { signal } = this.#closing;
    this.#isRunning = true;
    while (this.#isWanted && !signal.aborted) {
      this.#isWanted = false;
      if (this.#isVisible) await this.#update();
      await wait(this.ports.clock, PAUSE_MS, signal);
    }
    this.#isRunning = false;
  }

  /** Reads changes, and then fires a change event for nodes whose appearance or children have changed. */
  async #update(): Promise<void> {
    const { levels } = this.#rows;
    if (levels.size === 0) return;
    await this.#reading(async () => {
      await this.#rows.update();
      if (this.#closing.signal.aborted) return;
      const moved = [...levels.values()].filter(({ id, nodes }) => !isSame(nodes, this.#given.get(id)));
      const changed = [
        ...moved.flatMap(({ id }) => this.#rows.groupNode(id) ?? []),
        ...[...levels.values()].flatMap(({ nodes = [] }) => nodes).filter((node) => this.#looksDifferent(node)),
      ];
      if (moved.some(({ id }) => id === ROOT)) this.#changed.fire(undefined);
      else if (changed.length > 0) this.#changed.fire([...new Set(changed)]);
    });
  }

  #looksDifferent(node: TasksNode): boolean {
    const drawn = this.#drawn.get(node);
    return drawn !== undefined && drawn !== JSON.stringify(this.#item(node));
  }

  /** Shows an error in the view until the next successful read. */
  async #reading(read: () => Promise<void>): Promise<void> {
    const { view } = this.ports;
    const { arrangement, levels } = this.#rows;
    let message = '';
    try {
      await read();
      const hasNoMatch = arrangement.filter !== undefined && levels.get(ROOT)?.nodes?.length === 0;
      if (hasNoMatch) message = vscode.l10n.t('No tasks match the filter.');
    } catch (error) {
      message = plainText(error instanceof StoreFault ? formatFault(error) : errorText(error));
    }
    if ((view.message ?? '') !== message) view.message = message;
  }

  #item(node: TasksNode): vscode.TreeItem {
    return visibleItem(this.#rawItem(node));
  }

  #rawItem(node: TasksNode): vscode.TreeItem {
    if ('moreOf' in node) return moreItem(node);
    if ('file' in node) {
      const row = this.#rows.rows.get(node.file);
      return row === undefined ? new vscode.TreeItem('') : rowItem(row, this.#place(row));
    }
    const group = this.#rows.groups.get(node.group);
    if (group === undefined) return new vscode.TreeItem('');
    const { filter } = this.#rows.arrangement;
    return groupItem(group, {
      // VS Code remembers by ID whether a group is expanded. A filtered group has its own ID, so that it is initially
      // expanded if few rows match.
      id: filter === undefined ? node.group : `${node.group} ${JSON.stringify(filter)}`,
      nowMs: this.ports.clock.now(),
      why: group.destination && this.ports.whyWaits(group.destination.id),
      namesDataset: this.#rows.hasSeveralDatasets,
      isFiltered: filter !== undefined,
    });
  }

  #place(row: FileRow): RowPlace {
    const { arrangement, folders, hasSeveralDatasets } = this.#rows;
    return {
      nowMs: this.ports.clock.now(),
      why: this.ports.whyWaits(row.destination),
      sentBytes: this.ports.progress().get(row.id),
      folder: folders.get(row.id),
      namesDataset: hasSeveralDatasets,
      isInBatch: arrangement.groupBy === 'batch' && row.batch !== null,
    };
  }
}

/**
 * Updates the rows when the view is shown or hidden, a group is opened or closed, or the user changes the grouping or
 * filter.
 */
export function followView(
  tasksView: TasksView,
  view: vscode.TreeView<TasksNode>,
  arrangement: TaskArrangement,
): vscode.Disposable {
  tasksView.setVisible(view.visible);
  return vscode.Disposable.from(
    arrangement.onDidChange((current) => {
      tasksView.arrange(current);
      const isFiltered = current.filter !== undefined;
      view.description = isFiltered ? plainText(vscode.l10n.t('Filter: {0}', current.filterName)) : '';
      void setContextKey('tasksFiltered', isFiltered);
    }),
    view.onDidChangeVisibility(({ visible }) => tasksView.setVisible(visible)),
    view.onDidExpandElement(({ element }) => tasksView.setOpen(element, true)),
    view.onDidCollapseElement(({ element }) => tasksView.setOpen(element, false)),
  );
}

/** Shows in the view's badge how many rows need the user's attention. Problems in a stopped sandbox don't count. */
export function showBadge(
  view: Pick<vscode.TreeView<unknown>, 'badge'>,
  problems: readonly Group[],
  destinations: readonly DestinationRow[],
  isStoppedSandbox: (destination: DestinationRow) => boolean,
): void {
  const stopped = new Set(destinations.filter(isStoppedSandbox).map(({ id }) => id));
  const counted = problems.filter(({ value }) => !stopped.has(Number(value)));
  const value = counted.reduce((sum, { counts }) => sum + countIn(counts), 0);
  if (value === (view.badge?.value ?? 0)) return;
  view.badge =
    value === 0 ? undefined : { value, tooltip: vscode.l10n.t('Needing your attention: {0}', formatCount(value)) };
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
