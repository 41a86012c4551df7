import { Disposable, type Event } from 'vscode';
import { listen } from '../platform/listen';
import { registerCommands } from '../platform/registerCommands';
import { askAboutMoved } from './askAboutMoved';
import { cancelImport } from './cancelImport';
import { type ImportDeps, importAgain, importFile, importPicked, importSelection } from './importFile';
import { ImportProgress } from './importProgress';
import { type ReportDeps, reportRuns } from './reportImport';
import { retryAnyway, retryImport } from './retryImport';
import { takeOverImports } from './takeOverImports';

/** Registers the commands that import, the progress in the status bar, and the messages about imports. */
export function registerImporting(
  deps: ImportDeps & ReportDeps & { readonly onStoreSetAside: Event<string> },
): Disposable {
  const { queue, list, messages } = deps;
  return Disposable.from(
    reportRuns(deps),
    new ImportProgress(queue, deps.clock),
    askAboutMoved(deps),
    takeOverImports(list),
    deps.datasets.onDidChange(() => void queue.resume()),
    listen(list.events, 'unsaved', (error) => void messages.error(error)),
    deps.onStoreSetAside((path) => {
      void messages.storeSetAside(path);
      // Writes what this window knows to the new task database.
      list.sync().catch((error) => messages.error(error));
    }),
    registerCommands(
      {
        importFile: (target, selected) => importFile(deps, target, selected),
        importFiles: () => importPicked(deps),
        importFolder: (target, selected) => importFile(deps, target, selected),
        importAgain: (target, selected) => importAgain(deps, target, selected),
        importSelection: () => importSelection(deps),
        retryImport: (target, selected) => retryImport(deps, target, selected),
        retryAnyway: (target, selected) => retryAnyway(deps, target, selected),
        cancelImport: (target, selected) => cancelImport(deps, target, selected),
        cancelAllImports: () => queue.cancel(),
      },
      messages,
    ),
  );
}
