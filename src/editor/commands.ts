import { l10n, Uri } from 'vscode';
import type { Dataset } from '../service/contract/dataset';
import { among, type FileRow, type Filter, rejectionCode, type State } from '../tasks/store/model';
import { chooseDataset } from './datasets/chooseDataset';
import * as datasetCommands from './datasets/datasetCommands';
import { type DatasetNode, datasetAt, givenDataset, isDatasetNode } from './datasets/findDataset';
import * as importCommands from './importing/importCommands';
import { importFiles } from './importing/importFiles';
import { editRequest } from './mapping/editRequest';
import { mapResponses } from './mapping/mapResponses';
import { mapStatuses } from './mapping/mapStatuses';
import { copyAsCurl, previewRequest } from './mapping/previewRequest';
import { setWebhook } from './mapping/setWebhook';
import { testConnection } from './mapping/testConnection';
import { dialogTitle, UserError } from './platform/actions';
import { openDatasetsSetting } from './platform/settings';
import { startSandbox } from './sandboxHost';
import type { Services } from './services';
import { filterTasks, groupTasks } from './tasksView/arrangement';
import { attachTaskId, trackTask } from './tasksView/attachTaskId';
import { APPLICABLE, chooseRows, pickRow, stateCounts } from './tasksView/chooseRows';
import { exportTasks } from './tasksView/exportTasks';
import * as rowCommands from './tasksView/rowCommands';
import type { GroupNode, MoreNode, RowNode } from './tasksView/shownRows';
import { countIn } from './wording/states';

/** All commands, with their names, what they apply to, and what they do. */
export const COMMANDS = {
  importToDataset: on(['file'], (services, { rows }) => importCommands.importToDataset(services, rows)),
  importFiles: onOne(['dataset'], (services, row) =>
    importCommands.importPicked(services, importCommands.pickFiles, givenDataset(services, row)),
  ),
  importFolder: onOne(['dataset'], (services, row) =>
    importCommands.importPicked(services, importCommands.pickFolders, givenDataset(services, row)),
  ),
  importSelection: onNothing(importCommands.importSelection),
  importSamples: onNothing((services) => importCommands.importSamples(services, services.samples)),
  importChanges: on(['file', 'group', 'dataset'], async (services, { rows }) => {
    const uris = rows.filter((row) => row instanceof Uri);
    // If the user runs this from the palette, both views may have selected rows. The first row is in the view used last.
    const isInView = (row: unknown) => isDatasetNode(row) === isDatasetNode(rows[0]);
    const nodes = rows.flatMap((row) => (row instanceof Uri || !isInView(row) ? [] : [row]));
    if (uris.length > 0) await importFiles(services, { uris, onlyChanges: true });
    const errors: unknown[] = [];
    for (const node of rows.length > 0 ? nodes : [undefined])
      await importChangesOf(services, node).catch((error) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }),

  importAgain: onRows(
    APPLICABLE.importAgain,
    (services, filter) => rowCommands.reimport(services, filter, APPLICABLE.importAgain),
    // In a group, only the unconfirmed files need this command. Retry Failed imports the others.
    (node) => ('group' in node ? { ...node, filter: among(node.filter, ['unconfirmed']) } : node),
  ),
  retryFailed: onRows(APPLICABLE.retryFailed, (services, filter) =>
    rowCommands.reimport(services, filter, APPLICABLE.retryFailed),
  ),
  cancelImport: onRows(APPLICABLE.cancelImport, ({ serving }, filter) => rowCommands.cancelImport(serving, filter)),
  cancelAll: onNothing((services) => rowCommands.cancelImport(services.serving, shownBy(services))),
  tryNow: onRows(APPLICABLE.tryNow, rowCommands.tryNow),
  continueAnyway: onRows(APPLICABLE.tryNow, rowCommands.tryNow),
  refreshStatus: onRows(APPLICABLE.refreshStatus, rowCommands.refreshStatus),
  refreshAll: onNothing((services) => rowCommands.refreshStatus(services, shownBy(services))),
  markAsUploaded: onRows(APPLICABLE.markAsUploaded, rowCommands.markAsUploaded),
  stopTracking: onRows(APPLICABLE.stopTracking, rowCommands.stopTracking),
  attachTaskId: on(['row', 'dataset'], async (services, { isSelection, rows: [node] }) => {
    const row = node !== undefined && 'file' in node ? await rowOf(services, node) : undefined;
    const applies = !isSelection || APPLICABLE.attachTaskId.some((state) => state === row?.state);
    return row !== undefined && applies
      ? attachTaskId(services, row)
      : trackTask(services, isDatasetNode(node) ? node : undefined);
  }),
  trackTask: onNothing((services) => trackTask(services, undefined)),
  copyTaskId: onRows(APPLICABLE.copyTaskId, rowCommands.copyTaskId),
  openSourceFile: onRows(APPLICABLE.openSourceFile, (services, filter, node) =>
    rowCommands.openSourceFile(services, filter, positionIn(node)),
  ),
  removeFromList: onRows(APPLICABLE.removeFromList, rowCommands.removeFromList),
  clearSucceeded: onNothing((services) => rowCommands.clearSucceeded(services, shownBy(services))),

  showDetails: onOne(['row'], async (services, node) => {
    const file = node?.file ?? (await pickRow(services));
    if (file !== undefined) await services.details.show(file);
  }),
  showBatch: onOne(['group'], ({ batchPages }, group) => group && batchPages.show(batchOf(group))),
  exportTasks: on(['row', 'group'], async (services, { rows }, name) => {
    const filter = rows.length === 0 ? shownBy(services) : await chooseRows(services, rows, dialogTitle(name), {});
    return filter && exportTasks(services.store, services.messages, filter);
  }),
  exportAll: onNothing((services) => exportTasks(services.store, services.messages, shownBy(services))),
  filterTasks: onNothing(filterTasks),
  groupTasks: onNothing(groupTasks),
  showMore: onOne(['more'], ({ tasksView }, node) => node && tasksView.showMore(node)),

  addDataset: onNothing(datasetCommands.addDataset),
  setAccessKey: onOne(['row', 'group', 'dataset'], async (services, node) => {
    const isTask = node !== undefined && !('dataset' in node);
    const ofDataset = isTask ? { dataset: datasetAt(services, await rowOf(services, node)) } : node;
    return datasetCommands.setAccessKey(services, ofDataset);
  }),
  renameDataset: onOne(['dataset'], datasetCommands.renameDataset),
  removeDataset: onOne(['dataset'], datasetCommands.removeDataset),
  setDefaultDataset: onOne(['dataset'], datasetCommands.setDefaultDataset),
  forgetImportedFiles: onOne(['dataset'], datasetCommands.forgetImportedFiles),
  openDatasetSettings: onNothing(openDatasetsSetting),
  testConnection: onDataset(['dataset'], testConnection),
  setWebhook: onDataset(['dataset'], (services, dataset) => setWebhook(services, dataset)),
  mapResponses: onDataset(['row', 'group', 'dataset'], mapResponses, ['noId', 'unknown']),
  mapStatuses: onDataset(['row', 'group', 'dataset'], mapStatuses, ['unknown']),
  editRequest: onDataset(['row', 'group', 'dataset'], editRequest),
  previewRequest: onOne(['file', 'row'], async (services, of) =>
    previewRequest(services, of !== undefined && 'file' in of ? await rowOf(services, of) : of),
  ),
  copyAsCurl: onNothing(copyAsCurl),

  startSandbox: onNothing(startSandbox),
  stopSandbox: onNothing(({ sandbox }) => sandbox.stop()),
  showLog: onNothing(({ log }) => log.show()),
} satisfies Readonly<Record<string, Command>>;

/**
 * Runs a command with the arguments that VS Code passes and the rows selected in the visible views. Shows any error it
 * throws.
 */
export async function runCommand(
  services: Services,
  name: string,
  args: readonly unknown[],
  selection: readonly unknown[],
): Promise<void> {
  try {
    await (COMMANDS as Readonly<Record<string, Command>>)[name]?.(services, { name, args, selection });
  } catch (error) {
    await services.messages.error(error);
  }
}

/** The kinds of rows that a command can apply to. */
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
 * The rows that a command applies to. If the user clicked a row, it comes first, followed by the other selected rows.
 */
interface Target<Row> {
  /** Whether the rows, if any, come from the selection rather than from a click. */
  readonly isSelection: boolean;
  /** If empty, the command asks the user to choose rows. */
  readonly rows: readonly Row[];
}

/** The arguments that VS Code passes to a command, and the selected rows. */
interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly selection: readonly unknown[];
}

type Command = (services: Services, call: Call) => unknown;

/** Creates a command that applies to rows of these kinds. */
export function on<K extends Kind>(
  kinds: readonly K[],
  run: (services: Services, target: Target<Targets[K]>, name: string) => unknown,
): Command {
  return (services, call) => {
    const target = targetOf(kinds, call);
    return target === undefined ? undefined : run(services, target as Target<Targets[K]>, call.name);
  };
}

/** Creates a command that applies to one row. */
function onOne<K extends Kind>(
  kinds: readonly K[],
  run: (services: Services, row: Targets[K] | undefined) => unknown,
): Command {
  return on(kinds, (services, { rows: [row] }) => run(services, row));
}

/** Creates a command that doesn't apply to any row. */
function onNothing(run: (services: Services) => unknown): Command {
  return (services) => run(services);
}

/**
 * Creates a command that applies to rows in the Tasks view. If the command receives no rows, or doesn't apply to the
 * selected rows, the user picks rows in one of the `states`. `narrowed` may restrict a group to some of its rows.
 */
function onRows(
  states: readonly State[],
  run: (services: Services, filter: Filter, node: RowNode | GroupNode | undefined) => unknown,
  narrowed = (node: RowNode | GroupNode): RowNode | GroupNode => node,
): Command {
  return on(['row', 'group'], async (services, { isSelection, rows }, name) => {
    const choose = (nodes: typeof rows) => chooseRows(services, nodes, dialogTitle(name), { states });
    const count = async (filter: Filter) => countIn(await stateCounts(services.store, filter), states);
    const given = rows.length === 0 ? undefined : await choose(rows.map(narrowed));
    const applies = given !== undefined && (!isSelection || (await count(given)) > 0);
    if (!applies && (await count({ states })) === 0) throw rowCommands.noneApplies();
    const filter = applies ? given : await choose([]);
    return filter && run(services, filter, rows[0]);
  });
}

/**
 * Creates a command that applies to a dataset. If the user runs it on a task row or a group, it also receives that row
 * or one row of the group, preferably in one of the `states`.
 */
function onDataset(
  kinds: readonly ('row' | 'group' | 'dataset')[],
  run: (services: Services, dataset: Dataset, row?: FileRow) => unknown,
  states?: readonly State[],
): Command {
  return on(kinds, async (services, { rows: [node] }, name) => {
    const isTask = node !== undefined && !('dataset' in node);
    const row = isTask ? await rowOf(services, node, states) : undefined;
    const dataset = row
      ? datasetAt(services, row)
      : await chooseDataset(services, isTask ? undefined : node, dialogTitle(name));
    return dataset && run(services, dataset, row);
  });
}

/** The kinds of rows in each view. VS Code may pass a row from one view to a command that belongs to another view. */
const VIEWS: readonly (readonly Kind[])[] = [['row', 'group', 'more'], ['dataset'], ['file']];

/**
 * Finds the rows that a command applies to. Returns undefined if the command should do nothing. What VS Code passes
 * depends on where the user runs the command:
 *
 * - Menus and inline actions pass the clicked row, and all selected rows if there is more than one.
 * - Title bars pass the focused row in the same way, although the user didn't choose it. Because these arguments look
 *   like those of a row's menu, commands in title bars have their own IDs and don't accept rows from the view that they
 *   are in.
 * - The Delete keybinding passes only the focused row.
 * - Other keybindings and the palette pass nothing.
 * - Our buttons and links pass a row.
 */
function targetOf(kinds: readonly Kind[], { args, selection }: Call): Target<unknown> | undefined {
  const fits = (row: unknown) => kinds.some((kind) => isKind[kind](row));
  const [row, others] = args;
  if (row === undefined || row === null) {
    // The user pressed the Delete keybinding while no row had focus.
    if (args.length === 1 && row === undefined) return undefined;
    // While VS Code redraws the clicked row, it passes undefined or null in its place. In that case, use the selection
    // only if VS Code also passes the selected rows. Otherwise, the selection may not include the clicked row.
    return { isSelection: true, rows: args.length === 0 || Array.isArray(others) ? selection.filter(fits) : [] };
  }
  if (fits(row)) {
    const all = args.length === 1 ? selection : Array.isArray(others) ? others : [];
    const rest = all.some((one) => isSame(one, row)) ? all.filter((one) => !isSame(one, row) && fits(one)) : [];
    return { isSelection: false, rows: [row, ...rest] };
  }
  const isOwn = VIEWS.some((view) => view.some((one) => isKind[one](row)) && view.some((one) => kinds.includes(one)));
  return isOwn ? undefined : { isSelection: false, rows: [] };
}

/** For a tree element, VS Code always passes the same object. For a file, it passes a new URI each time. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || (one instanceof Uri && other instanceof Uri && String(one) === String(other));
}

function hasField(value: unknown, name: string, type: 'number' | 'string' | 'object'): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === type;
}

/** The Tasks view's current filter. */
function shownBy({ arrangement }: Services): Filter {
  return arrangement.current.filter ?? {};
}

/**
 * Finds a node's row. For a group, returns a row in one of the `states` if there is one, or else any row of the group:
 * the newest whose rejection paused uploads, or else the newest.
 * @throws UserError if the row was removed from the list
 */
async function rowOf({ store, serving }: Services, node: RowNode | GroupNode, states: readonly State[] = ['rejected']) {
  const filters = 'file' in node ? [{ files: [node.file] }] : [among(node.filter, states), node.filter];
  for (const filter of filters) {
    const { rows } = await store.page({ filter, limit: 100, newestFirst: true });
    const paused = rows.find(({ destination, import: { cause } }) => {
      const code = rejectionCode(serving.pauseOf(destination)?.cause);
      return code !== undefined && rejectionCode(cause) === code;
    });
    const row = paused ?? rows[0];
    if (row !== undefined) return row;
  }
  throw rowCommands.noneApplies();
}

/** The ID of the batch that a group shows. */
function batchOf({ filter: { batch } }: GroupNode): number {
  if (typeof batch !== 'number') throw new UserError(l10n.t('Select a batch first.'));
  return batch;
}

async function importChangesOf(services: Services, node: GroupNode | DatasetNode | undefined): Promise<unknown> {
  if (node === undefined || 'dataset' in node)
    return importCommands.importChangesOfDataset(services, givenDataset(services, node));
  const { batch } = node.filter;
  if (typeof batch === 'number') return importCommands.importChangesOfBatch(services, batch);
  const destination = services.tasksView.destinationOf(node);
  return importCommands.importChangesOfDataset(services, destination && datasetAt(services, destination));
}

/** The position that a link in the details document points to. Lines and columns start at 1. */
function positionIn(node: RowNode | GroupNode | undefined) {
  const { line, column } = (node ?? {}) as { readonly line?: unknown; readonly column?: unknown };
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : undefined;
}
