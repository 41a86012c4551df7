import type { TaskList } from '../../tasks/store/taskList';
import type { Messages } from '../platform/messages';
import type { Commands } from '../start/commands';
import { exportTasks } from './exportTasks';

/** Registers the commands that write what is known of tasks to files. */
export function registerExporting(deps: {
  readonly list: TaskList;
  readonly messages: Messages;
  readonly commands: Commands;
}): void {
  deps.commands.handle({ 'datasetImport.exportTasks': () => exportTasks(deps) }, deps.messages);
}
