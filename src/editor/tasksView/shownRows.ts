import type { ImportStore } from '../../tasks/store/importStore';
import type { BatchRow, DestinationRow, FileRow, Filter, Group, GroupBy, State } from '../../tasks/store/model';
import { PROBLEMS, STATES } from '../../tasks/store/model';
import { naturally, repeatedFolders } from '../wording/fileNames';
import { countIn } from '../wording/states';

const PAGE_ROWS = 200;

/** A row. VS Code and commands know it by the same object while it is shown. */
export interface RowNode {
  readonly file: number;
}

/** A batch or another group, with the filter of its rows. */
export interface GroupNode {
  readonly group: string;
  readonly filter: Filter;
}

/** The row that shows another page of a group, or of the first level. */
export interface MoreNode {
  readonly moreOf: string;
}

export type TasksNode = RowNode | GroupNode | MoreNode;

/** How the view arranges the rows. */
export interface Arrangement {
  readonly groupBy: GroupBy;
  readonly filter: Filter | undefined;
}

/** What a group shows. */
export interface ShownGroup extends Group {
  readonly by: GroupBy;
  readonly batch: BatchRow | undefined;
  /** Whether another batch has the same label. */
  readonly isRepeated: boolean;
  /** The dataset of a batch, or that the group is about. */
  readonly destination: DestinationRow | undefined;
  /** A row with the reason that the group is about. */
  readonly example: FileRow | undefined;
}

/** What is shown below a group, or as the first level. */
interface Level {
  readonly id: string;
  readonly filter: Filter;
  pages: number;
  /** The counts when its rows were read; empty if they must be read again. */
  readAt: string;
  rows: readonly RowNode[];
  hasMore: boolean;
  /** Undefined until its rows are read. */
  nodes: readonly TasksNode[] | undefined;
}

/** The id of the first level. */
export const ROOT = '';

/** Which rows the view shows, and what it knows of them: read from the store a page at a time. */
export class ShownRows {
  readonly #store: ShownRowsStore;
  #arrangement: Arrangement;
  readonly #nodes = new Map<string | number, TasksNode>();
  readonly #rows = new Map<number, FileRow>();
  /** Only open ones. */
  readonly #levels = new Map<string, Level>();
  #groups: ReadonlyMap<string, ShownGroup> = new Map();
  /** The counts of the rows without a batch. */
  #singles = '';
  #destinations: ReadonlyMap<number, DestinationRow> = new Map();
  #folders: ReadonlyMap<number, string> = new Map();
  #version = -1;
  /** Whether everything must be looked at, even if the store hasn't changed. */
  #isOutdated = true;

  constructor(store: ShownRowsStore, arrangement: Arrangement) {
    this.#store = store;
    this.#arrangement = arrangement;
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  /** The nodes of each open level, the first level first. */
  get levels(): ReadonlyMap<string, readonly TasksNode[] | undefined> {
    return new Map([...this.#levels].map(([id, { nodes }]) => [id, nodes]));
  }

  get firstLevel(): readonly TasksNode[] | undefined {
    return this.#levels.get(ROOT)?.nodes;
  }

  get hasSeveralDatasets(): boolean {
    return new Set([...this.#destinations.values()].map(({ dataset }) => dataset)).size > 1;
  }

  row({ file }: RowNode): FileRow | undefined {
    return this.#rows.get(file);
  }

  group({ group }: GroupNode): ShownGroup | undefined {
    return this.#groups.get(group);
  }

  groupNode(id: string): TasksNode | undefined {
    return this.#nodes.get(id);
  }

  destination(id: number): DestinationRow | undefined {
    return this.#destinations.get(id);
  }

  /** The folder of a row, if another shown row has the same name. */
  folder({ file }: RowNode): string | undefined {
    return this.#folders.get(file);
  }

  arrange(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
    const wasShown = this.#levels.size > 0;
    this.#levels.clear();
    if (wasShown) this.#open(ROOT, {});
    this.#isOutdated = true;
  }

  setOpen({ group, filter }: GroupNode, isOpen: boolean): void {
    if (!isOpen) this.#levels.delete(group);
    else this.#open(group, filter);
    this.#isOutdated ||= isOpen;
  }

  /** Shows another page. All shown pages are then read at once, because rows change their order in between. */
  showMore({ moreOf }: MoreNode): void {
    const level = this.#levels.get(moreOf);
    if (level === undefined) return;
    level.pages += 1;
    level.readAt = '';
    this.#isOutdated = true;
  }

  /** The nodes of a group or of the first level, which is open from now on. */
  async children(node: GroupNode | undefined): Promise<readonly TasksNode[]> {
    const level = node === undefined ? this.#open(ROOT, {}) : this.#open(node.group, node.filter);
    if (level.nodes === undefined) await this.#readAll();
    return level.nodes ?? [];
  }

  /** Reads what has changed. */
  async update(): Promise<void> {
    const isOutdated = this.#isOutdated;
    this.#isOutdated = false;
    try {
      const shown = [...this.#rows.keys()];
      const { version, rows, deleted } = await this.#store.changesSince({ version: this.#version, shown });
      this.#destinations = new Map((await this.#store.destinations(null)).map((one) => [one.id, one]));
      if (version === this.#version && !isOutdated) return;
      this.#note(rows, deleted);
      await this.#readAll();
      this.#version = version;
    } catch (error) {
      this.#isOutdated = true;
      throw error;
    }
  }

  /** Notes changed rows. Levels whose order they change are read again. */
  #note(rows: readonly FileRow[], deleted: readonly number[]): void {
    const moved = new Set(deleted);
    for (const row of rows) {
      const before = this.#rows.get(row.id);
      const isSame =
        before?.state === row.state && before.relativePath === row.relativePath && before.batch === row.batch;
      if (!isSame || row.removed) moved.add(row.id);
      this.#rows.set(row.id, row);
    }
    for (const level of this.#levels.values()) if (level.rows.some(({ file }) => moved.has(file))) level.readAt = '';
  }

  async #readAll(): Promise<void> {
    const arrangement = this.#arrangement;
    if (this.#destinations.size === 0)
      this.#destinations = new Map((await this.#store.destinations(null)).map((one) => [one.id, one]));
    const { groups, singles } = await this.#readGroups(arrangement);
    if (arrangement !== this.#arrangement) return;
    this.#groups = groups;
    this.#singles = singles;
    await Promise.all([...this.#levels.values()].map((level) => this.#readLevel(level)));
    if (arrangement !== this.#arrangement) return;
    for (const level of this.#levels.values()) level.nodes = this.#nodesOf(level);
    this.#forgetHidden();
  }

  async #readGroups({ groupBy: by, filter = {} }: Arrangement) {
    const all = await this.#store.groups({ by, filter });
    const singles = by === 'batch' ? all.filter(({ value }) => value === null) : [];
    const groups = all.filter((group) => !singles.includes(group));
    const read = by === 'batch' ? await this.#store.batches(groups.map(({ value }) => value as number)) : [];
    const batches = new Map<Group['value'], BatchRow>(read.map((batch) => [batch.id, batch]));
    const labels = Map.groupBy(read, ({ label }) => label);
    const shown = groups.map(async ({ value, counts }): Promise<[string, ShownGroup]> => {
      const batch = batches.get(value);
      const isRepeated = batch !== undefined && labels.get(batch.label)?.length !== 1;
      const destination = this.#destinations.get(by === 'destination' ? Number(value) : (batch?.destination ?? 0));
      const id = groupId(by, value);
      const example = by === 'reason' && value !== null ? await this.#exampleOf(id, value as string) : undefined;
      return [id, { by, value, counts, batch, isRepeated, destination, example }];
    });
    return { groups: new Map(await Promise.all(shown)), singles: JSON.stringify(singles) };
  }

  async #exampleOf(id: string, reason: string): Promise<FileRow | undefined> {
    const known = this.#groups.get(id)?.example;
    return known ?? (await this.#store.page({ filter: { reason }, limit: 1 })).rows[0];
  }

  /** Reads the rows of a level if something in it has changed. */
  async #readLevel(level: Level): Promise<void> {
    const isRoot = level.id === ROOT;
    const { groupBy, filter: chosen } = this.#arrangement;
    const readAt = isRoot ? this.#singles : JSON.stringify(this.#groups.get(level.id)?.counts ?? {});
    if (level.readAt === readAt) return;
    const filter = isRoot ? { ...chosen, batch: null } : level.filter;
    const limit = level.pages * PAGE_ROWS;
    const page =
      isRoot && groupBy !== 'batch'
        ? { rows: [], hasMore: false }
        : await this.#store.page({ filter, limit, newestFirst: isRoot });
    const { rows } = page;
    for (const row of rows) this.#rows.set(row.id, row);
    level.rows = (isRoot ? rows : rows.toSorted(byName)).map((row) => this.#rowNode(row));
    level.hasMore = page.hasMore;
    level.readAt = readAt;
  }

  #nodesOf(level: Level): TasksNode[] {
    const more = level.hasMore ? [this.#node({ moreOf: level.id }, `more of ${level.id}`)] : [];
    return [...(level.id === ROOT ? this.#firstNodes(level) : level.rows), ...more];
  }

  /** Batches among the rows without one: problems first, then the newest. Other groups have an order of their own. */
  #firstNodes({ rows }: Level): TasksNode[] {
    const { filter } = this.#arrangement;
    const groups = [...this.#groups].map(([id, group]) => ({
      node: this.#node({ group: id, filter: { ...filter, ...filterOfGroup(group) } }, id),
      group,
      hasProblem: countIn(group.counts, PROBLEMS) > 0,
      ms: group.batch?.beganMs ?? 0,
      import: 0,
    }));
    if (this.#arrangement.groupBy !== 'batch')
      return groups.toSorted((one, other) => byGroup(one.group, other.group)).map(({ node }) => node);
    const singles = rows.map((node) => {
      const row = this.row(node);
      const { id = 0, queuedMs: ms = 0 } = row?.import ?? {};
      return { node, hasProblem: isProblem(row?.state), ms, import: id };
    });
    return [...groups, ...singles]
      .toSorted((one, other) => {
        const problems = Number(other.hasProblem) - Number(one.hasProblem);
        return problems || other.ms - one.ms || other.import - one.import;
      })
      .map(({ node }) => node);
  }

  /** Forgets rows that no level shows, and finds the names that are shown twice. */
  #forgetHidden(): void {
    const shown = new Set([...this.#levels.values()].flatMap(({ rows }) => rows.map(({ file }) => file)));
    for (const file of this.#rows.keys()) if (!shown.has(file)) this.#rows.delete(file);
    for (const id of this.#nodes.keys()) if (typeof id === 'number' && !shown.has(id)) this.#nodes.delete(id);
    this.#folders = repeatedFolders(
      [...this.#rows.values()],
      (row) => this.#groups.get(this.#levelId(row))?.batch?.folder ?? null,
    );
  }

  #open(id: string, filter: Filter): Level {
    const known = this.#levels.get(id);
    if (known !== undefined && JSON.stringify(known.filter) === JSON.stringify(filter)) return known;
    const level = { id, filter, pages: 1, readAt: '', rows: [], hasMore: false, nodes: undefined };
    this.#levels.set(id, level);
    return level;
  }

  #levelId({ batch, destination, state, reason }: FileRow): string {
    const { groupBy } = this.#arrangement;
    const value = { batch, destination, state, reason }[groupBy];
    return groupBy === 'batch' && value === null ? ROOT : groupId(groupBy, value);
  }

  #rowNode({ id }: FileRow): RowNode {
    return this.#node({ file: id }, id);
  }

  #node<Node extends TasksNode>(node: Node, id: string | number): Node {
    const known = this.#nodes.get(id) as Node | undefined;
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(node)) return known;
    this.#nodes.set(id, node);
    return node;
  }
}

export type ShownRowsStore = Pick<ImportStore, 'page' | 'groups' | 'batches' | 'destinations' | 'changesSince'>;

function groupId(by: GroupBy, value: Group['value']): string {
  return `${by} ${value}`;
}

function filterOfGroup({ by, value }: ShownGroup): Filter {
  switch (by) {
    case 'batch':
      return { batch: value as number };
    case 'destination':
      return { destinations: [value as number] };
    case 'state':
      return { states: [value as State] };
    case 'reason':
      return { reason: value as string | null };
  }
}

function isProblem(state: State | undefined): boolean {
  return PROBLEMS.some((problem) => problem === state);
}

function byGroup(one: ShownGroup, other: ShownGroup): number {
  switch (one.by) {
    case 'destination':
      return naturally.compare(one.destination?.dataset ?? '', other.destination?.dataset ?? '');
    case 'state':
      return STATES.indexOf(one.value as State) - STATES.indexOf(other.value as State);
    default:
      return Number(one.value === null) - Number(other.value === null) || countIn(other.counts) - countIn(one.counts);
  }
}

/** By state, then by name as in the Explorer: s2 before s10. */
function byName(one: FileRow, other: FileRow): number {
  const ranks = STATES.indexOf(one.state) - STATES.indexOf(other.state);
  return ranks || naturally.compare(one.name, other.name) || naturally.compare(one.relativePath, other.relativePath);
}
