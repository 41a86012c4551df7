import { Disposable, type Event, l10n, type Uri } from 'vscode';
import type { OnSetAside } from '../../tasks/database/sqliteConnection';
import { type Destination, isSameDestination } from '../../tasks/destination';
import { isOpen, type TrackedTask } from '../../tasks/trackedTask';
import type { ChoosingServices } from '../choosing/importChosen';
import { pickFiles, pickFolders } from '../collecting/filesToImport';
import { formatCount } from '../platform/formatNumbers';
import { listen } from '../platform/listen';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services/services';
import { type CommandTarget, on, onNothing, onOne } from '../targets';
import { countsByDataset, pickTasks, shownTasks, type TasksRow, tasksOfRows } from '../tree/pickTasks';
import { askAboutMoved } from './askAboutMoved';
import type { ReportServices } from './helpAfterImport';
import { importAgain, retryFailed, retryUnconfirmed } from './importAgain';
import { importChanges } from './importChanges';
import { importFile, importFiles, importHere, importSamples, importSelection, importToOther } from './importFile';
import { ImportProgress } from './importProgress';
import { askAboutRejections, resumeAfterRejections } from './repeatedRejections';
import { reportRuns } from './reportImport';
import { reportPauses } from './reportPause';

/**
 * Registers the commands that import, the progress in the status bar, and the messages about imports. `samples` is the
 * folder with the sample files.
 */
export function registerImporting(
  services: ChoosingServices & ReportServices,
  samples: Uri,
  onStoreSetAside: Event<Parameters<OnSetAside>>,
): Disposable {
  const { list, messages } = services;
  services.commands.handle(
    {
      'datasetImport.importToDataset': on(['file'], ({ rows }) => importFile(services, rows)),
      'datasetImport.importToOther': on(['file'], ({ rows }) => importToOther(services, rows)),
      'datasetImport.importFile': on(['file'], ({ rows }) => importFile(services, rows)),
      'datasetImport.importFiles': onNothing(async () => importFiles(services, await pickFiles())),
      'datasetImport.importFolder': onNothing(async () => importFiles(services, await pickFolders())),
      'datasetImport.importFilesHere': onOne(['dataset'], (row) => importHere(services, row, pickFiles)),
      'datasetImport.importFolderHere': onOne(['dataset'], (row) => importHere(services, row, pickFolders)),
      'datasetImport.importSamples': onNothing(() => importSamples(services, samples)),
      'datasetImport.importChanges': on(['file', 'batch', 'dataset'], (target) => importChanges(services, target)),
      'datasetImport.importAgain': on(['task', 'batch', 'group'], (target) => importAgain(services, target)),
      'datasetImport.importSelection': onNothing(() => importSelection(services)),
      'datasetImport.retryFailed': on(['task', 'batch', 'group'], (target) => retryFailed(services, target)),
      'datasetImport.retryUnconfirmed': on(['task', 'batch', 'group'], (target) => retryUnconfirmed(services, target)),
      'datasetImport.retryAllUnconfirmed': on([], (target) => retryUnconfirmed(services, target)),
      'datasetImport.cancelImport': on(['task', 'batch', 'group'], (target) => cancelImport(services, target)),
      'datasetImport.tryNow': on(['task', 'batch', 'group'], (target) => tryNow(services, target)),
      'datasetImport.cancelAllImports': on([], ({ from }) => cancelAllImports(services, from === 'title')),
    },
    messages,
  );
  return Disposable.from(
    reportRuns(services),
    new ImportProgress(services.queue, services.clock),
    askAboutMoved(services),
    reportPauses(services),
    resumeAfterRejections(services),
    services.datasets.onDidChange(() => void services.queue.targetsChanged()),
    // Another window may have replaced the rejected key without this window noticing.
    listen(services.queue.events, 'paused', (_, { reason }) => {
      if (reason.kind === 'badKey') void services.queue.targetsChanged();
    }),
    listen(list.events, 'unsaved', (error) => void messages.error(error)),
    onStoreSetAside((aside) => {
      void messages.storeSetAside(...aside);
      // Shows what is in the new task database.
      list.sync().catch((error) => messages.error(error));
    }),
  );
}

/** Cancels imports. Another window stops what it is sending within about a second. */
export async function cancelImport(
  services: Pick<Services, 'list' | 'picks' | 'queue'>,
  target: CommandTarget<TasksRow>,
): Promise<void> {
  await cancel(services, await pickTasks(services, target, ({ phase }) => isOpen(phase)));
}

/** Cancels all imports, or those that the view shows. */
async function cancelAllImports(services: Services, onlyShown: boolean): Promise<void> {
  if (!onlyShown || services.arrangement.current.filter === undefined) return services.queue.cancel();
  const tasks = await shownTasks(services, ['queued', 'sending']);
  if (tasks.length === 0) throw new UserError(l10n.t('The filter of the Tasks view hides all imports in progress.'));
  await cancel(services, tasks);
}

async function cancel({ queue }: Pick<Services, 'queue'>, tasks: readonly TrackedTask[]): Promise<void> {
  const keys = new Set(tasks.map(({ key }) => key));
  await queue.cancel(({ key }) => keys.has(key));
}

/**
 * Ends the pauses of the datasets that rows are in; without a row, of all datasets, after a question. If a dataset waits for
 * a decision about rejections, asks for it.
 */
export async function tryNow(services: ReportServices, target: CommandTarget<TasksRow>): Promise<void> {
  const { list, queue } = services;
  const isPaused = (task: TrackedTask) => isOpen(task.phase) && queue.pauseOf(task) !== undefined;
  const inRows = (await tasksOfRows(list, target.rows)).filter(isPaused);
  const tasks = inRows.length > 0 || target.from === 'row' ? inRows : list.open.filter(isPaused);
  if (tasks.length === 0) throw new UserError(l10n.t('No uploads are paused.'));
  const question = l10n.t('Upload {0} paused files now?', formatCount(tasks.length));
  if (inRows.length === 0 && !(await window.confirm(question, countsByDataset(tasks), l10n.t('Try Now')))) return;
  const isMeant = (one: Destination) => tasks.some((task) => isSameDestination(task, one));
  const isUndecided = (one: Destination) => queue.pauseOf(one)?.reason.kind === 'rejections';
  await queue.tryNow((one) => isMeant(one) && !isUndecided(one));
  for (const destination of [...list.destinations.values()].filter(isMeant)) {
    const reason = queue.pauseOf(destination)?.reason;
    if (reason?.kind === 'rejections') await askAboutRejections(services, destination, reason);
  }
}
