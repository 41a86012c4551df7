import { Uri } from 'vscode';
import { type DatasetNode, isDatasetNode } from './datasets/datasetNode';
import type { Handler } from './start/commandRegistry';
import type { GroupNode, MoreNode, RowNode } from './tasksView/shownRows';

/** What a command can apply to. */
interface Targets {
  readonly file: Uri;
  readonly row: RowNode;
  /** A batch or another group of rows. */
  readonly group: GroupNode;
  readonly more: MoreNode;
  readonly dataset: DatasetNode;
}

type Kind = keyof Targets;

const isKind: { readonly [K in Kind]: (value: unknown) => value is Targets[K] } = {
  file: (value) => value instanceof Uri,
  row: (value): value is RowNode => hasField(value, 'file', 'number'),
  group: (value): value is GroupNode => hasField(value, 'group', 'string') && hasField(value, 'filter', 'object'),
  more: (value): value is MoreNode => hasField(value, 'moreOf', 'string'),
  dataset: isDatasetNode,
};

/**
 * What a command applies to. With `row`, the clicked row comes first; other selected rows follow. `title` is the title bar
 * of a view, whose commands mean all that the view shows. With `nothing`, the command asks.
 */
export interface CommandTarget<Row> {
  readonly from: 'row' | 'selection' | 'title' | 'nothing';
  readonly rows: readonly Row[];
}

/** The target if the first of these rows was clicked, or a button or link is about it. */
export function clicked<Row>(...rows: readonly Row[]): CommandTarget<Row> {
  return { from: 'row', rows };
}

/** A command that applies to rows of these kinds. */
export function on<K extends Kind>(kinds: readonly K[], run: (target: CommandTarget<Targets[K]>) => unknown): Handler {
  return (args, selection) => {
    const target = targetOf(kinds, args, selection);
    return target === undefined ? undefined : run(target as CommandTarget<Targets[K]>);
  };
}

/** A command that applies to one row. */
export function onOne<K extends Kind>(kinds: readonly K[], run: (row: Targets[K] | undefined) => unknown): Handler {
  return on(kinds, ({ rows: [row] }) => run(row));
}

/** A command that applies to no row. */
export function onNothing(run: () => unknown): Handler {
  return () => run();
}

/** The rows of a view, whose commands can get rows of another kind. */
const VIEWS: readonly (readonly Kind[])[] = [['row', 'group', 'more'], ['dataset'], ['file']];

/**
 * What a command applies to, by what VS Code passes:
 * - from the menu or an inline action of a row: the row, and all selected rows if there are several;
 * - from the title bar of a view: the same for the row with the focus, which the user doesn't mean. As it looks the same,
 *   commands in title bars have IDs of their own, and their kinds leave out the rows of that view;
 * - from the keybinding of Delete: the row with the focus alone;
 * - from other keybindings and the palette: nothing;
 * - from our buttons and links: a row.
 * Undefined if the command does nothing on that row.
 */
function targetOf(
  kinds: readonly Kind[],
  args: readonly unknown[],
  selection: readonly unknown[],
): CommandTarget<unknown> | undefined {
  const fits = (row: unknown) => kinds.some((kind) => isKind[kind](row));
  const [row, others] = args;
  const nothing = { from: 'nothing', rows: [] } as const;
  if (row === undefined || row === null) {
    if (kinds.length === 0) return { from: args.length === 0 ? 'nothing' : 'title', rows: [] };
    // Delete, and no row has the focus.
    if (args.length === 1 && row === undefined) return undefined;
    // VS Code passes no element for a row that it is redrawing, which may be another one than the selected row.
    const rows = args.length === 0 || Array.isArray(others) ? selection.filter(fits) : [];
    return rows.length === 0 ? nothing : { from: 'selection', rows };
  }
  if (fits(row)) {
    const all = args.length === 1 ? selection : Array.isArray(others) ? others : [];
    const rest = all.some((one) => isSame(one, row)) ? all.filter((one) => !isSame(one, row) && fits(one)) : [];
    return clicked(row, ...rest);
  }
  const isOfView = VIEWS.some(
    (view) => view.some((kind) => isKind[kind](row)) && view.some((kind) => kinds.includes(kind)),
  );
  return isOfView ? undefined : { from: kinds.length === 0 ? 'title' : 'nothing', rows: [] };
}

/** Elements of trees are the same objects each time; URIs are copies. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || (one instanceof Uri && other instanceof Uri && String(one) === String(other));
}

function hasField(value: unknown, name: string, type: 'number' | 'string' | 'object'): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === type;
}
