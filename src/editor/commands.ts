import { type LogOutputChannel, l10n, type Uri } from 'vscode';
import type { ImportService } from '../service/importService';
import { among, type FileRow, type Filter, type State } from '../tasks/store/model';
import { addDataset } from './datasets/addDataset';
import { setDefaultDataset } from './datasets/chooseDataset';
import type { DatasetNode } from './datasets/datasetNode';
import { forgetImportedFiles } from './datasets/forgetImportedFiles';
import { removeDataset } from './datasets/removeDataset';
import { renameDataset } from './datasets/renameDataset';
import { setAccessKey } from './datasets/setAccessKey';
import type { Webhooks } from './datasets/webhooks';
import * as entries from './importing/entries';
import { importAgain } from './importing/importAgain';
import { mapResponses } from './mapping/mapResponses';
import { mapStatuses } from './mapping/mapStatuses';
import { commandTitle } from './platform/commandTitle';
import type { GeneratedDocuments } from './platform/documents';
import { openDatasetsSetting } from './platform/settings';
import { UserError } from './platform/userError';
import { editRequest } from './requests/editRequest';
import { copyAsCurl, previewRequest } from './requests/previewRequest';
import { setWebhook } from './requests/setWebhook';
import { testConnection } from './requests/testConnection';
import { startSandbox } from './sandboxHost/sandboxHost';
import type { Services } from './services';
import type { Handler } from './start/commandRegistry';
import { type CommandTarget, on, onNothing, onOne } from './targets';
import { filterTasks, groupTasks } from './tasksView/arrangement';
import { attachTaskId, trackTask } from './tasksView/attachTaskId';
import type { BatchPages } from './tasksView/batchPage';
import { APPLICABLE, chooseRows, pickRow, rowsIn } from './tasksView/chooseRows';
import type { DetailsDocuments } from './tasksView/details';
import { exportTasks } from './tasksView/exportTasks';
import { clearSucceeded, removeFromList } from './tasksView/removeFromList';
import * as rowCommands from './tasksView/rowCommands';
import type { GroupNode, RowNode } from './tasksView/shownRows';

/** What only commands need, beside the services. */
export interface CommandServices extends Services {
  readonly service: ImportService;
  readonly webhooks: Webhooks;
  readonly details: DetailsDocuments;
  readonly batchPages: BatchPages;
  readonly previews: GeneratedDocuments;
  readonly log: LogOutputChannel;
  /** The folder with the sample files. */
  readonly samples: Uri;
}

type RowsTarget = CommandTarget<RowNode | GroupNode>;

/** Everything that the product can do: what each command applies to, and what it does. Errors are shown by the registry. */
export function commandTable(services: CommandServices) {
  const { store, serving, messages, arrangement } = services;
  const ports = { store, picks: services.picks, now: () => services.clock.now() };
  const shown = () => arrangement.current.filter ?? {};

  /** A command that applies to rows. Without any, the user picks among those in these states. */
  const onRows = (title: string, states: readonly State[], run: (filter: Filter, target: RowsTarget) => unknown) =>
    on(['row', 'group'], async (target) => {
      const filter = await chooseRows(ports, target.rows, title, { states });
      return filter && run(filter, target);
    });

  /** A command that applies to a dataset, given by its own row or by rows of tasks. */
  const onRowOrDataset = (run: (of: FileRow | DatasetNode | undefined) => unknown) =>
    onOne(['row', 'group', 'dataset'], async (node) =>
      run(node === undefined || 'dataset' in node ? node : await rowOf(node)),
    );

  /** The row; of a group the first rejected row, which says what is wrong, or any. */
  const rowOf = async (node: RowNode | GroupNode): Promise<FileRow | undefined> => {
    const filters = 'file' in node ? [{ files: [node.file] }] : [among(node.filter, ['rejected']), node.filter];
    for (const filter of filters) {
      const { rows } = await store.page({ filter, limit: 1 });
      if (rows[0] !== undefined) return rows[0];
    }
    return undefined;
  };

  return {
    importToDataset: on(['file'], ({ rows }) => entries.importToDataset(services, rows)),
    importFiles: onOne(['dataset'], (row) => entries.importPicked(services, entries.pickFiles, row?.dataset)),
    importFolder: onOne(['dataset'], (row) => entries.importPicked(services, entries.pickFolders, row?.dataset)),
    importSelection: onNothing(() => entries.importSelection(services)),
    importSamples: onNothing(() => entries.importSamples(services, services.samples)),
    importChanges: on(['file', 'group', 'dataset'], ({ rows }) => {
      const [first] = rows;
      if (first === undefined || 'dataset' in first) return entries.importChangesOfDataset(services, first?.dataset);
      if ('filter' in first) return entries.importChangesOfBatch(services, batchOf(first));
      return entries.importChangesIn(services, rows as readonly Uri[]);
    }),

    importAgain: onRows(commandTitle('importAgain'), APPLICABLE.importAgain, async (filter) =>
      importAgain(services, await rowsIn(store, filter, APPLICABLE.importAgain)),
    ),
    retryFailed: onRows(commandTitle('retryFailed'), APPLICABLE.retryFailed, (filter) =>
      rowCommands.retryFailed(services, filter),
    ),
    cancelImport: onRows(commandTitle('cancelImport'), APPLICABLE.cancelImport, (filter) =>
      rowCommands.cancelImport(serving, filter),
    ),
    cancelAll: onNothing(() => rowCommands.cancelImport(serving, shown())),
    tryNow: onRows(commandTitle('tryNow'), APPLICABLE.tryNow, (filter) => rowCommands.tryNow(services, filter)),
    continueAnyway: onRows(commandTitle('continueAnyway'), APPLICABLE.tryNow, (filter) =>
      rowCommands.tryNow(services, filter),
    ),
    refreshStatus: onRows(commandTitle('refreshStatus'), APPLICABLE.refreshStatus, (filter) =>
      rowCommands.refreshStatus(services, filter),
    ),
    refreshAll: onNothing(() => rowCommands.refreshStatus(services, shown())),
    markAsUploaded: onRows(commandTitle('markAsUploaded'), APPLICABLE.markAsUploaded, (filter) =>
      rowCommands.markAsUploaded(services, filter),
    ),
    stopTracking: onRows(commandTitle('stopTracking'), APPLICABLE.stopTracking, (filter) =>
      rowCommands.stopTracking(services, filter),
    ),
    attachTaskId: on(['row', 'dataset'], async ({ from, rows: [node] }) => {
      const row = node !== undefined && 'file' in node ? await rowOf(node) : undefined;
      const isMeant = from !== 'selection' || APPLICABLE.attachTaskId.some((state) => state === row?.state);
      return row !== undefined && isMeant ? attachTaskId(services, row) : trackTask(services, node);
    }),
    copyTaskId: onRows(commandTitle('copyTaskId'), APPLICABLE.copyTaskId, (filter) =>
      rowCommands.copyTaskId(store, filter),
    ),
    openSourceFile: onRows(commandTitle('openSourceFile'), APPLICABLE.openSourceFile, (filter, { rows: [first] }) =>
      rowCommands.openSourceFile(services, filter, positionIn(first)),
    ),
    removeFromList: onRows(commandTitle('removeFromList'), APPLICABLE.removeFromList, (filter) =>
      removeFromList(services, filter),
    ),
    clearSucceeded: onNothing(() => clearSucceeded(services, shown())),

    showDetails: onOne(['row'], async (node) => {
      const file = node?.file ?? (await pickRow(ports, {}))?.id;
      if (file !== undefined) await services.details.show(file);
    }),
    showBatch: onOne(['group'], (group) => group && services.batchPages.show(batchOf(group))),
    exportTasks: onOne(['group'], async (group) => {
      const [batch] = group?.filter.batch == null ? [] : await store.batches([group.filter.batch]);
      await exportTasks(store, messages, group?.filter ?? shown(), batch?.label);
    }),
    exportAll: onNothing(() => exportTasks(store, messages, shown())),
    filterTasks: onNothing(() => filterTasks(ports, arrangement)),
    groupTasks: onNothing(() => groupTasks(services, arrangement)),
    showMore: onOne(['more'], (node) => node && services.tasksView.showMore(node)),

    addDataset: onNothing(() => addDataset(services)),
    setAccessKey: onRowOrDataset((of) => setAccessKey(services, of)),
    renameDataset: onOne(['dataset'], (row) => renameDataset(services, row)),
    removeDataset: onOne(['dataset'], (row) => removeDataset(services, row)),
    setDefaultDataset: onOne(['dataset'], (row) => setDefaultDataset(services, row)),
    forgetImportedFiles: onOne(['dataset'], (row) => forgetImportedFiles(services, row)),
    openDatasetSettings: onNothing(() => openDatasetsSetting()),
    testConnection: onOne(['dataset'], (row) => testConnection(services, row)),
    setWebhook: onOne(['dataset'], (row) => setWebhook(services, row)),
    mapResponses: onRowOrDataset((of) => mapResponses(services, of)),
    mapStatuses: onRowOrDataset((of) => mapStatuses(services, of)),
    editRequest: onRowOrDataset((of) => editRequest(services, of)),
    previewRequest: onOne(['file', 'row'], async (of) =>
      previewRequest(services, of !== undefined && 'file' in of ? await rowOf(of) : of),
    ),
    copyAsCurl: onNothing(() => copyAsCurl(services)),

    startSandbox: onNothing(() => startSandbox(services)),
    stopSandbox: onNothing(() => services.sandbox.stop()),
    showLog: onNothing(() => services.log.show()),
  } satisfies Readonly<Record<string, Handler>>;
}

/** The batch that a group is. */
function batchOf({ filter: { batch } }: GroupNode): number {
  if (typeof batch !== 'number') throw new UserError(l10n.t('Select a batch first.'));
  return batch;
}

/** A link in the details names a position, counted from 1. */
function positionIn(node: RowNode | GroupNode | undefined) {
  const { line, column } = (node ?? {}) as { readonly line?: unknown; readonly column?: unknown };
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : undefined;
}
