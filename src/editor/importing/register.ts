import { Disposable } from 'vscode';
import type { Clock } from '../../tasks/timing/clock';
import { registerCommands } from '../platform/registerCommands';
import { cancelImport } from './cancelImport';
import { type ImportDeps, importAgain, importFile, importPicked, importSelection } from './importFile';
import { ImportProgress } from './importProgress';
import { MovedImports } from './movedImports';
import { ImportReports, type ReportDeps } from './reportImport';
import { retryAnyway, retryImport } from './retryImport';

/** The commands that import, and what is told of imports while they are under way and once they have ended. */
export function registerImporting(deps: ImportDeps & ReportDeps & { readonly clock: Clock }): Disposable {
  const { queue, list, messages } = deps;
  const tellUnsaved = (error: unknown) => void messages.error(error);
  list.events.on('unsaved', tellUnsaved);
  return Disposable.from(
    new ImportReports(deps),
    new ImportProgress(queue, deps.clock.monotonicMs),
    new MovedImports(deps),
    deps.datasets.onDidChange(() => void queue.resume()),
    { dispose: () => list.events.off('unsaved', tellUnsaved) },
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
