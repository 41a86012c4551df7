import { Disposable, type Event } from 'vscode';
import type { OnSetAside } from '../../tasks/database/sqliteConnection';
import { listen } from '../platform/listen';
import type { Commands } from '../start/commands';
import { askAboutMoved } from './askAboutMoved';
import { cancelImport } from './cancelImport';
import { type ImportDeps, importAgain, importFile, importFolder, importPicked, importSelection } from './importFile';
import { importFromList } from './importFromList';
import { ImportProgress } from './importProgress';
import { type ReportDeps, reportRuns } from './reportImport';
import { retryAnyway, retryImport, retryUnconfirmed } from './retryImport';
import { takeOverImports } from './takeOverImports';

/** Registers the commands that import, the progress in the status bar, and the messages about imports. */
export function registerImporting(
  deps: ImportDeps &
    ReportDeps & { readonly onStoreSetAside: Event<Parameters<OnSetAside>>; readonly commands: Commands },
): Disposable {
  const { queue, list, messages } = deps;
  deps.commands.handle(
    {
      'datasetImport.importToDataset': (target, selected) => importFile(deps, target, selected),
      'datasetImport.importFile': (target, selected) => importFile(deps, target, selected),
      'datasetImport.importFiles': () => importPicked(deps),
      'datasetImport.importFolder': () => importFolder(deps),
      'datasetImport.importFromList': () => importFromList(deps),
      'datasetImport.importAgain': (target, selected) => importAgain(deps, target, selected),
      'datasetImport.importSelection': () => importSelection(deps),
      'datasetImport.retryImport': (target, selected) => retryImport(deps, target, selected),
      'datasetImport.retryAnyway': (target, selected) => retryAnyway(deps, target, selected),
      'datasetImport.retryUnconfirmed': (target, selected) => retryUnconfirmed(deps, target, selected),
      'datasetImport.cancelImport': (target, selected) => cancelImport(deps, target, selected),
      'datasetImport.cancelAllImports': () => queue.cancel(),
    },
    messages,
  );
  return Disposable.from(
    reportRuns(deps),
    new ImportProgress(queue, deps.clock),
    askAboutMoved(deps),
    takeOverImports(list),
    deps.datasets.onDidChange(() => void queue.resume()),
    listen(list.events, 'unsaved', (error) => void messages.error(error)),
    deps.onStoreSetAside((aside) => {
      void messages.storeSetAside(...aside);
      // Writes what this window knows to the new task database.
      list.sync().catch((error) => messages.error(error));
    }),
  );
}
