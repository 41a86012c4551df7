import type { Services } from '../services/services';
import { onNothing, onOne } from '../targets';
import { exportTasks } from './exportTasks';

/** Registers the commands that write tasks to a file. */
export function registerExporting(services: Pick<Services, 'list' | 'messages' | 'commands' | 'arrangement'>): void {
  services.commands.handle(
    {
      'datasetImport.exportTasks': onOne(['batch'], (row) => exportTasks(services, row)),
      'datasetImport.exportAllTasks': onNothing(() => exportTasks(services, undefined)),
    },
    services.messages,
  );
}
