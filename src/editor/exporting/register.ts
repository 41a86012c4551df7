import type { Commands } from '../start/commands';
import { type ExportDeps, exportTasks } from './exportTasks';

/** Registers the commands that write what is known of tasks to files. */
export function registerExporting(deps: ExportDeps & { readonly commands: Commands }): void {
  deps.commands.handle({ 'datasetImport.exportTasks': () => exportTasks(deps) }, deps.messages);
}
