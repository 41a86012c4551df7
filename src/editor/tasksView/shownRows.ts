import type { ImportStore } from '../../tasks/store/importStore';
import type { BatchRow, DestinationRow, FileRow, Filter, Group, GroupBy, State } from '../../tasks/store/model';
import { PROBLEMS, STATES } from '../../tasks/store/model';
import { naturally } from '../platform/format';
import { countIn, repeatedFolders, UNSENT } from '../wording/states';

const PAGE_ROWS = 200;

/** Files in these states need the user's attention or haven't finished uploading. */
const URGENT: readonly State[] = [...PROBLEMS, ...UNSENT];

/** VS Code identifies a shown row by this object. */
export interface RowNode {
  readonly file: number;
}

/** A batch or other group, with a filter that matches its rows. */
export interface GroupNode {
  readonly group: string;
  readonly filter: Filter;
}

/** The Show More row in a group or at the top level. */
export interface MoreNode {
  readonly moreOf: string;
}

export type TasksNode = RowNode | GroupNode | MoreNode;

/** The grouping and filter of the view. */
export interface Arrangement {
  readonly groupBy: GroupBy;
  readonly filter: Filter | undefined;
  /** The filter in words. */
  readonly filterName: string;
}

/** A group, with everything that its tree item shows. */
export interface ShownGroup extends Group {
  readonly by: GroupBy;
  readonly batch: BatchRow | undefined;
  /** Whether another batch has the same label, or another destination the same dataset. */
  readonly isRepeated: boolean;
  /** The destination, if the view is grouped by batch or dataset. */
  readonly destination: DestinationRow | undefined;
  /** A row with the group's reason, if the view is grouped by reason. */
  readonly example: FileRow | undefined;
}

/** The rows of an open group or of the top level. */
interface Level {
  readonly id: string;
  readonly filter: Filter;
  pages: number;
  /** Undefined until the rows are read. */
  nodes: readonly TasksNode[] | undefined;
}

/** The ID of the top level. */
export const ROOT = '';

/** The rows shown in the view. Reads all pages of all expanded levels from the store at once. */
export class ShownRows {
  readonly #nodes = new Map<string | number, TasksNode>();
  readonly #levels = new Map<string, Level>();
  rows: ReadonlyMap<number, FileRow> = new Map();
  groups: ReadonlyMap<string, ShownGroup> = new Map();
  destinations: ReadonlyMap<number, DestinationRow> = new Map();
  /** The folder of each row whose file name also appears in another folder, by row ID. */
  folders: ReadonlyMap<number, string> = new Map();
  #version = -1;
  /** Whether to reread the rows even if the store hasn't changed. */
  #isOutdated = true;

  constructor(
    private readonly store: ShownRowsStore,
    public arrangement: Arrangement,
  ) {}

  /** The open levels, starting with the top level. */
  get levels(): ReadonlyMap<string, Readonly<Level>> {
    return this.#levels;
  }

  get hasSeveralDatasets(): boolean {
    return new Set([...this.destinations.values()].map(({ dataset }) => dataset)).size > 1;
  }

  groupNode(id: string): TasksNode | undefined {
    return this.#nodes.get(id);
  }

  arrange(arrangement: Arrangement): void {
    this.arrangement = arrangement;
    const wasShown = this.#levels.size > 0;
    this.#levels.clear();
    if (wasShown) this.#open(ROOT, {});
  }

  setOpen({ group, filter }: GroupNode, isOpen: boolean): void {
    if (!isOpen) this.#levels.delete(group);
    else this.#open(group, filter);
  }

  /** Shows another page. All shown pages are read in one query, because rows may move between queries. */
  showMore({ moreOf }: MoreNode): void {
    const level = this.#levels.get(moreOf);
    if (level !== undefined) level.pages += 1;
    this.#isOutdated = true;
  }

  /** Opens a group or the top level, and returns its nodes. */
  async children(node: GroupNode | undefined): Promise<readonly TasksNode[]> {
    const level = node === undefined ? this.#open(ROOT, {}) : this.#open(node.group, node.filter);
    if (level.nodes === undefined) await this.#read();
    return level.nodes ?? [];
  }

  /** Rereads the expanded levels if something has changed. */
  async update(): Promise<void> {
    const isOutdated = this.#isOutdated;
    this.#isOutdated = false;
    try {
      const { version } = await this.store.changesSince({ version: this.#version, shown: [] });
      if (version === this.#version && !isOutdated) return;
      await this.#read();
      this.#version = version;
    } catch (error) {
      this.#isOutdated = true;
      throw error;
    }
  }

  async #read(): Promise<void> {
    const arrangement = this.arrangement;
    this.destinations = new Map((await this.store.destinations(null)).map((one) => [one.id, one]));
    const groups = await this.#readGroups(arrangement);
    const readLevel = async (level: Level) => ({ level, ...(await this.#readPages(level)) });
    const pages = await Promise.all([...this.#levels.values()].map(readLevel));
    if (arrangement !== this.arrangement) return;
    this.groups = groups;
    this.rows = new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
    for (const { level, rows, hasMore } of pages) {
      const more = hasMore ? [this.#node({ moreOf: level.id }, `more of ${level.id}`)] : [];
      const ofRows = () => rows.toSorted(byName).map(({ id }) => this.#node({ file: id }, id));
      level.nodes = [...(level.id === ROOT ? this.#firstNodes(rows) : ofRows()), ...more];
    }
    for (const id of this.#nodes.keys()) if (typeof id === 'number' && !this.rows.has(id)) this.#nodes.delete(id);
    const batches = new Map([...groups.values()].map(({ batch }) => [batch?.id, batch]));
    const batchFolder = ({ batch }: FileRow) => (batch === null ? null : (batches.get(batch)?.folder ?? null));
    this.folders = repeatedFolders([...this.rows.values()], batchFolder);
  }

  async #readGroups({ groupBy: by, filter = {} }: Arrangement): Promise<ReadonlyMap<string, ShownGroup>> {
    const all = await this.store.groups({ by, filter });
    const groups = all.filter(({ value }) => by !== 'batch' || value !== null);
    const read = by === 'batch' ? await this.store.batches(groups.map(({ value }) => value as number)) : [];
    const batches = new Map<Group['value'], BatchRow>(read.map((batch) => [batch.id, batch]));
    const labels = Map.groupBy(read, ({ label }) => label);
    const shownDestinations = groups.map(({ value }) => this.destinations.get(Number(value)));
    const shown = groups.map(async ({ value, counts }): Promise<[string, ShownGroup]> => {
      const batch = batches.get(value);
      const destination = this.destinations.get(by === 'destination' ? Number(value) : (batch?.destination ?? 0));
      const alike = batch === undefined ? [] : (labels.get(batch.label) ?? []);
      const isRepeated =
        by === 'destination'
          ? shownDestinations.filter((one) => one?.dataset === destination?.dataset).length > 1
          : new Set(alike.map(({ folder }) => folder)).size > 1;
      const id = `${by} ${value}`;
      const example = by === 'reason' && value !== null ? await this.#exampleOf(id, value as string) : undefined;
      return [id, { by, value, counts, batch, isRepeated, destination, example }];
    });
    return new Map(await Promise.all(shown));
  }

  async #exampleOf(id: string, reason: string): Promise<FileRow | undefined> {
    return this.groups.get(id)?.example ?? (await this.store.page({ filter: { reason }, limit: 1 })).rows[0];
  }

  #readPages({ id, filter, pages }: Level) {
    const isRoot = id === ROOT;
    const { groupBy, filter: chosen } = this.arrangement;
    if (isRoot && groupBy !== 'batch') return { rows: [], hasMore: false };
    const wanted = isRoot ? { ...chosen, batch: null } : filter;
    return this.store.page({ filter: wanted, limit: pages * PAGE_ROWS, newestFirst: isRoot });
  }

  /** Merges batches and single rows: those with problems or unfinished uploads first, then newest first. */
  #firstNodes(rows: readonly FileRow[]): TasksNode[] {
    const groups = [...this.groups].map(([id, group]) => ({
      node: this.#node({ group: id, filter: { ...this.arrangement.filter, ...filterOfGroup(group) } }, id),
      group,
      isUrgent: countIn(group.counts, URGENT) > 0,
      ms: group.batch?.beganMs ?? 0,
      import: 0,
    }));
    if (this.arrangement.groupBy !== 'batch')
      return groups.toSorted((one, other) => byGroup(one.group, other.group)).map(({ node }) => node);
    const singles = rows.map((row) => ({
      node: this.#node({ file: row.id }, row.id),
      isUrgent: URGENT.includes(row.state),
      ms: row.import.queuedMs,
      import: row.import.id,
    }));
    return [...groups, ...singles]
      .toSorted((one, other) => {
        const urgent = Number(other.isUrgent) - Number(one.isUrgent);
        return urgent || other.ms - one.ms || other.import - one.import;
      })
      .map(({ node }) => node);
  }

  #open(id: string, filter: Filter): Level {
    const known = this.#levels.get(id);
    if (known !== undefined && JSON.stringify(known.filter) === JSON.stringify(filter)) return known;
    const level: Level = { id, filter, pages: 1, nodes: undefined };
    this.#levels.set(id, level);
    this.#isOutdated = true;
    return level;
  }

  /** Reuses the node's existing object, because VS Code identifies nodes by object identity. */
  #node<Node extends TasksNode>(node: Node, id: string | number): Node {
    const known = this.#nodes.get(id) as Node | undefined;
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(node)) return known;
    this.#nodes.set(id, node);
    return node;
  }
}

export type ShownRowsStore = Pick<ImportStore, 'page' | 'groups' | 'batches' | 'destinations' | 'changesSince'>;

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

/** Compares by state, then by name in the same way as the Explorer. */
function byName(one: FileRow, other: FileRow): number {
  const ranks = STATES.indexOf(one.state) - STATES.indexOf(other.state);
  return ranks || naturally.compare(one.name, other.name) || naturally.compare(one.relativePath, other.relativePath);
}
