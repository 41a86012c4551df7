import { EventEmitter } from 'node:events';
import type { BatchSummary } from '../../tasks/history/batchSummary';
import { collidingFolders } from '../../tasks/history/collidingFolders';
import type { Group } from '../../tasks/history/groups';
import { type Arrangement, groupOf, groupValueOf, readFirstLevel, readPages } from '../../tasks/history/levels';
import type { TaskList } from '../../tasks/store/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import {
  type AnyGroupNode,
  groupId,
  groupNode,
  isBatchNode,
  isGroup,
  isMoreNode,
  isTaskNode,
  type MoreNode,
  RowLevel,
  type TaskNode,
  type TasksNode,
} from '../taskItems/tasksNode';

/** What the row of a group says of its tasks. */
type Summary = { readonly batch: BatchSummary } | { readonly group: Group };

/** Which rows there are, and what those of groups say, as it was read last, a page at a time. */
export class TaskRows {
  readonly events = new EventEmitter<{ readFirstLevel: [] }>();
  readonly #list: TaskList;
  #arrangement: Arrangement;
  readonly #tasks = new Map<number, TaskNode>();
  readonly #groups = new Map<string, AnyGroupNode>();
  /** By their group; undefined stands for the first level. */
  readonly #levels = new Map<AnyGroupNode | undefined, RowLevel>();
  /** What the rows of groups say, as it was read last, and in which groups a task has changed since. */
  readonly #summaries = new Map<AnyGroupNode, Summary>();
  readonly #outdated = new Set<AnyGroupNode>();
  /** The folders of tasks of which another one in their level has the name. */
  readonly #folders = new Map<number, string | undefined>();
  /** Tasks that are shown although they may be on none of the pages that are. */
  readonly #revealed = new Map<number, TrackedTask>();

  constructor(list: TaskList, arrangement: Arrangement) {
    this.#list = list;
    this.#arrangement = arrangement;
  }

  arrange(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
    for (const known of [this.#groups, this.#levels, this.#summaries, this.#outdated, this.#revealed]) known.clear();
  }

  /** Whether there is a filter, and no task that it lets through. */
  get hasNoMatch(): boolean {
    return this.#arrangement.filter !== undefined && this.#levels.get(undefined)?.rows.length === 0;
  }

  /** Whether a change of any task may change which rows there are. */
  get isCounted(): boolean {
    return this.#arrangement.groupBy !== 'batch' || this.#arrangement.filter !== undefined;
  }

  /** Whether VS Code has asked for any rows. */
  get areShown(): boolean {
    return this.#level(undefined).isOpen === true;
  }

  /** All rows that are shown. */
  get shown(): readonly TasksNode[] {
    return [undefined, ...this.opened].flatMap((group) => this.shownOf(group));
  }

  /** The rows of a level, as they were read last. */
  shownOf(group: AnyGroupNode | undefined): readonly TasksNode[] {
    return this.#level(group).rows;
  }

  /** The groups that are shown open. */
  get opened(): readonly AnyGroupNode[] {
    return this.#shownGroups.filter((group) => this.isOpen(group));
  }

  isOpen(group: AnyGroupNode): boolean {
    return this.#level(group).isOpen === true;
  }

  /** Sets whether a group, whose rows were asked for, is shown open. */
  setOpen(node: TasksNode, isOpen: boolean): void {
    if (isGroup(node)) this.#level(node).isOpen = isOpen;
  }

  node(key: number): TaskNode {
    const node = this.#tasks.get(key) ?? { taskKey: key };
    this.#tasks.set(key, node);
    return node;
  }

  /** The row of the group of a task; undefined where it is in the first level. */
  groupOf(task: TrackedTask): AnyGroupNode | undefined {
    const value = groupValueOf(this.#arrangement.groupBy, task);
    return value === undefined ? undefined : this.#groupNode(value);
  }

  parentOf(node: TasksNode): AnyGroupNode | undefined {
    if (isGroup(node)) return undefined;
    if (isMoreNode(node)) return this.groupOfMore(node);
    const task = this.#list.get(node.taskKey) ?? this.#revealed.get(node.taskKey);
    return task && this.groupOf(task);
  }

  groupOfMore({ moreOf }: MoreNode): AnyGroupNode | undefined {
    return moreOf === undefined ? undefined : this.#groups.get(moreOf);
  }

  /** Of a task of which another one in its level has the name. */
  folderOf(key: number): string | undefined {
    return this.#folders.get(key);
  }

  /** The rows of these tasks that were drawn. */
  drawn(tasks: readonly TrackedTask[]): TaskNode[] {
    return tasks.flatMap(({ key }) => this.#tasks.get(key) ?? []);
  }

  /** The rows of the batches of these tasks that were drawn. */
  drawnGroups(tasks: readonly TrackedTask[]): AnyGroupNode[] {
    return tasks.flatMap(({ batch }) => (batch && this.#groups.get(batch.id)) ?? []);
  }

  /** The rows of a level: those that are known, where nothing has changed since they were read. */
  async children(group: AnyGroupNode | undefined): Promise<readonly TasksNode[]> {
    const level = this.#level(group);
    level.isOpen ??= true;
    if (level.isOutdated) await this.#read(level, group);
    else await level.reading;
    return level.rows;
  }

  /** What the row of a group says, as it was read last. */
  summaryOf(node: AnyGroupNode): Summary | undefined {
    return this.#summaries.get(node);
  }

  /** Reads what the row of a group says, where a task has changed since that was read. */
  async readSummary(node: AnyGroupNode): Promise<void> {
    if (!isBatchNode(node) || (this.#summaries.has(node) && !this.#outdated.has(node))) return;
    this.#outdated.delete(node);
    try {
      const batch = await this.#list.history.batch(node.batchId, node.filter);
      if (batch === undefined) this.#summaries.delete(node);
      else this.#summaries.set(node, { batch });
    } catch {
      // The view shows why the task database cannot be read.
      this.#outdated.add(node);
    }
  }

  /** Notes that tasks of these groups, or any tasks, have changed. */
  outdate(groups: readonly AnyGroupNode[] | undefined): void {
    if (groups === undefined) this.#level(undefined).isOutdated = true;
    for (const group of groups ?? this.#groups.values()) {
      this.#level(group).isOutdated = true;
      this.#outdated.add(group);
    }
  }

  /** Forgets the rows of tasks that are gone. */
  forget(removed: readonly number[]): void {
    for (const key of removed) for (const known of [this.#tasks, this.#revealed, this.#folders]) known.delete(key);
  }

  /** Reads what is shown and has changed. Resolves to the groups that have other rows; undefined where the first level has. */
  async readOutdated(): Promise<readonly AnyGroupNode[] | undefined> {
    const arrangement = this.#arrangement;
    const hasMoved = await this.#reread(undefined);
    const reading = this.opened.map(async (group) => ((await this.#reread(group)) ? [group] : []));
    await Promise.all(this.#shownGroups.map((group) => this.readSummary(group)));
    const moved = (await Promise.all(reading)).flat();
    return hasMoved || arrangement !== this.#arrangement ? undefined : moved;
  }

  /** Shows another page from the next reading on. */
  showMore({ moreOf }: MoreNode): void {
    const level = this.#level(this.groupOfMore({ moreOf }));
    level.pages += 1;
    level.isOutdated = true;
  }

  /** Shows a task from the next reading on, on whatever page it is; false where it is shown. */
  reveal(task: TrackedTask): boolean {
    const level = this.#level(this.groupOf(task));
    const isNew = !this.#revealed.has(task.key) && !level.rows.includes(this.node(task.key));
    this.#revealed.set(task.key, task);
    level.isOutdated ||= isNew;
    return isNew;
  }

  get #shownGroups(): readonly AnyGroupNode[] {
    return this.#level(undefined).rows.filter(isGroup);
  }

  #level(group: AnyGroupNode | undefined): RowLevel {
    const level = this.#levels.get(group) ?? new RowLevel(group && groupId(group));
    this.#levels.set(group, level);
    return level;
  }

  /** Reads an open level where something has changed; whether it has other rows than before. */
  async #reread(group: AnyGroupNode | undefined): Promise<boolean> {
    const level = this.#level(group);
    if (level.isOpen !== true || !level.isOutdated) return false;
    const before = level.rows;
    await this.#read(level, group);
    return before.length !== level.rows.length || before.some((row, index) => row !== level.rows[index]);
  }

  /** The view shows why the task database cannot be read, beside the rows that are known. */
  #read(level: RowLevel, group: AnyGroupNode | undefined): Promise<void> {
    level.isOutdated = false;
    level.reading = (group === undefined ? this.#readFirst(level) : this.#readGroup(level, group)).catch(() => {
      level.isOutdated = true;
    });
    return level.reading;
  }

  async #readFirst(level: RowLevel): Promise<void> {
    const arrangement = this.#arrangement;
    const reading = readFirstLevel(this.#list.history, arrangement, level.pages);
    await this.#list.hold(reading.then(({ rows }) => rows.flatMap((row) => ('task' in row ? [row.task] : []))));
    if (arrangement !== this.#arrangement) return;
    const { rows, hasMore, groups } = await reading;
    const nodes = rows.map((row) => ('task' in row ? this.node(row.task.key) : this.#groupNode(row.group)));
    for (const group of groups) {
      if (group.value === undefined) continue;
      const node = this.#groupNode(group.value);
      this.#summaries.set(node, { group });
      this.#outdated.delete(node);
    }
    await Promise.all(nodes.filter(isGroup).map((node) => this.readSummary(node)));
    this.#setRows(level, undefined, nodes, hasMore);
    this.events.emit('readFirstLevel');
  }

  async #readGroup(level: RowLevel, node: AnyGroupNode): Promise<void> {
    const group = isBatchNode(node) ? groupOf('batch', node.batchId) : groupOf(node.groupBy, node.value);
    const query = { group, ...(node.filter && { filter: node.filter }) };
    const reading = readPages(this.#list.history, query, level.pages);
    const tasks = await this.#list.hold(reading.then((read) => read.tasks));
    const { hasMore } = await reading;
    const nodes = tasks.map(({ key }) => this.node(key));
    this.#setRows(level, node, nodes, hasMore);
  }

  #setRows(level: RowLevel, group: AnyGroupNode | undefined, rows: readonly TasksNode[], hasMore: boolean): void {
    const revealed = [...this.#revealed.values()].filter((task) => this.groupOf(task) === group);
    const others = revealed.map(({ key }) => this.node(key)).filter((node) => !rows.includes(node));
    const shown = [...rows, ...others].flatMap((node) =>
      isTaskNode(node) ? (this.#list.get(node.taskKey) ?? []) : [],
    );
    const folders = collidingFolders(shown);
    for (const { key } of shown) this.#folders.set(key, folders.get(key));
    level.rows = [...rows, ...others, ...(hasMore ? [level.more] : [])];
  }

  #groupNode(value: string): AnyGroupNode {
    const made = groupNode(this.#arrangement.groupBy, value, this.#arrangement.filter);
    const id = groupId(made);
    const node = this.#groups.get(id) ?? made;
    this.#groups.set(id, node);
    return node;
  }
}
