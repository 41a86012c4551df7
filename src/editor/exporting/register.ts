import type { TaskArrangement } from '../arranging/taskArrangement';
import type { Services } from '../services/services';
import type { Handlers } from '../start/commands';
import { exportTasks } from './exportTasks';

/** Registers the commands that write what is known of tasks to files. */
export function registerExporting(
  services: Pick<Services, 'list' | 'messages' | 'commands'>,
  arrangement: TaskArrangement,
): void {
  const handlers: Handlers = { 'datasetImport.exportTasks': (target) => exportTasks(services, arrangement, target) };
  services.commands.handle(handlers, services.messages);
}
