import { Disposable, type Event, type Uri } from 'vscode';
import type { OnSetAside } from '../../tasks/database/sqliteConnection';
import { type Destination, isSameDestination } from '../../tasks/destination';
import type { ImportQueue } from '../../tasks/serving/importQueue';
import type { TaskList } from '../../tasks/store/taskList';
import { isOpen } from '../../tasks/trackedTask';
import type { ChoosingServices } from '../choosing/importChosen';
import { pickFiles, pickFolders } from '../files/filesToImport';
import { listen } from '../platform/listen';
import { pickTasks, tasksOfRows } from '../tree/pickTasks';
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
  const { queue, list, messages } = services;
  services.commands.handle(
    {
      'datasetImport.importToDataset': (target, selected) => importFile(services, target, selected),
      'datasetImport.importToOther': (target, selected) => importToOther(services, target, selected),
      'datasetImport.importFile': (target, selected) => importFile(services, target, selected),
      'datasetImport.importFiles': async () => importFiles(services, await pickFiles()),
      'datasetImport.importFolder': async () => importFiles(services, await pickFolders()),
      'datasetImport.importFilesHere': (target) => importHere(services, target, pickFiles),
      'datasetImport.importFolderHere': (target) => importHere(services, target, pickFolders),
      'datasetImport.importSamples': () => importSamples(services, samples),
      'datasetImport.importChanges': (target, selected) => importChanges(services, target, selected),
      'datasetImport.importAgain': (target, selected) => importAgain(services, target, selected),
      'datasetImport.importSelection': () => importSelection(services),
      'datasetImport.retryFailed': (target, selected) => retryFailed(services, target, selected),
      'datasetImport.retryUnconfirmed': (target, selected) => retryUnconfirmed(services, target, selected),
      'datasetImport.cancelImport': (target, selected) => cancelImport(services, target, selected),
      'datasetImport.tryNow': (target, selected) => tryNow(services, target, selected),
      'datasetImport.cancelAllImports': () => queue.cancel(),
    },
    messages,
  );
  return Disposable.from(
    reportRuns(services),
    new ImportProgress(queue, services.clock),
    askAboutMoved(services),
    reportPauses(services),
    resumeAfterRejections(services),
    services.datasets.onDidChange(() => void queue.targetsChanged()),
    // Another window may have replaced the rejected key without this window noticing.
    listen(queue.events, 'paused', (_, { reason }) => {
      if (reason.kind === 'badKey') void queue.targetsChanged();
    }),
    listen(list.events, 'unsaved', (error) => void messages.error(error)),
    onStoreSetAside((aside) => {
      void messages.storeSetAside(...aside);
      // Shows what is in the new task database.
      list.sync().catch((error) => messages.error(error));
    }),
  );
}

/** Cancels imports. What another window is sending, that window stops within about a second. */
export async function cancelImport(
  { list, queue }: { list: TaskList; queue: ImportQueue },
  target: unknown,
  selected: unknown,
): Promise<void> {
  const tasks = await pickTasks(list, target, selected, ({ phase }) => isOpen(phase));
  const keys = new Set(tasks.map(({ key }) => key));
  await queue.cancel(({ key }) => keys.has(key));
}

/**
 * Tries the paused imports of the clicked rows now, or all where no row was clicked. If they wait for a decision about
 * rejections, asks for it.
 */
export async function tryNow(services: ReportServices, target: unknown, selected: unknown): Promise<void> {
  const { list, queue } = services;
  const tasks = (await tasksOfRows(list, target, selected))?.filter(({ phase }) => isOpen(phase));
  const isMeant = (one: Destination) => tasks?.some((task) => isSameDestination(task, one)) ?? true;
  const isUndecided = (one: Destination) => queue.pauseOf(one)?.reason.kind === 'rejections';
  await queue.tryNow((one) => isMeant(one) && !isUndecided(one));
  for (const destination of [...list.destinations.values()].filter(isMeant)) {
    const reason = queue.pauseOf(destination)?.reason;
    if (reason?.kind === 'rejections') await askAboutRejections(services, destination, reason);
  }
}
