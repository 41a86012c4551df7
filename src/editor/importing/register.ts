import { Disposable, type Event } from 'vscode';
import type { OnSetAside } from '../../tasks/database/sqliteConnection';
import type { TaskList } from '../../tasks/store/taskList';
import { Polling } from '../../tasks/timing/polling';
import { listen } from '../platform/listen';
import { askAboutMoved } from './askAboutMoved';
import { cancelImport } from './cancelImport';
import type { ReportServices } from './helpAfterImport';
import type { ImportServices } from './importFile';
import { importAgain, importFile, importFolder, importPicked, importSelection } from './importFile';
import { importFromList } from './importFromList';
import { ImportProgress } from './importProgress';
import { reportRuns } from './reportImport';
import { reportPauses } from './reportPause';
import { retryAnyway, retryImport, retryUnconfirmed } from './retryImport';
import { tryNow } from './tryNow';

/** Registers the commands that import, the progress in the status bar, and the messages about imports. */
export function registerImporting(
  services: ImportServices & ReportServices,
  onStoreSetAside: Event<Parameters<OnSetAside>>,
): Disposable {
  const { queue, list, messages } = services;
  services.commands.handle(
    {
      'datasetImport.importToDataset': (target, selected) => importFile(services, target, selected),
      'datasetImport.importFile': (target, selected) => importFile(services, target, selected),
      'datasetImport.importFiles': () => importPicked(services),
      'datasetImport.importFolder': () => importFolder(services),
      'datasetImport.importFromList': () => importFromList(services),
      'datasetImport.importAgain': (target, selected) => importAgain(services, target, selected),
      'datasetImport.importSelection': () => importSelection(services),
      'datasetImport.retryImport': (target, selected) => retryImport(services, target, selected),
      'datasetImport.retryAnyway': (target, selected) => retryAnyway(services, target, selected),
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
    takeOverImports(list),
    services.datasets.onDidChange(() => void queue.targetsChanged()),
    listen(list.events, 'unsaved', (error) => void messages.error(error)),
    onStoreSetAside((aside) => {
      void messages.storeSetAside(...aside);
      // Writes what this window knows to the new task database.
      list.sync().catch((error) => messages.error(error));
    }),
  );
}

/** How often the store is asked whether a window has left imports: 0.2 ms each time, and 2 to 10 ms to open it. */
const PAUSE_MS = 1000;

/**
 * Takes over imports of windows that are gone, whether they closed before this one started or later. The store is opened
 * after activation, and only where there is one. The list's event `adopted` names those imports.
 */
export function takeOverImports(list: TaskList): Disposable {
  // A store that cannot be read now may be readable the next time.
  const polling = new Polling(() => list.takeOver().catch(() => {}), PAUSE_MS);
  polling.start();
  return { dispose: () => polling.stop() };
}
