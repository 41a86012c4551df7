import type { Disposable } from 'vscode';
import { on, onOne } from '../targets';
import type { MappingServices } from './mapping';
import { chooseFieldOfTask, mapResponses, mapStatuses } from './mapResponses';
import { OfferMapping } from './offerMapping';

/** Registers the commands that map responses, and the messages that offer them. */
export function registerMapping(services: MappingServices): Disposable {
  services.commands.handle(
    {
      'datasetImport.mapResponses': onOne(['dataset'], (row) => mapResponses(services, row)),
      'datasetImport.chooseTaskId': on(['task'], (target) => chooseFieldOfTask(services, 'taskId', target)),
      'datasetImport.chooseStatus': on(['task'], (target) => chooseFieldOfTask(services, 'status', target)),
      'datasetImport.chooseMessage': on(['task'], (target) => chooseFieldOfTask(services, 'message', target)),
      'datasetImport.mapStatuses': on(['task'], (target) => mapStatuses(services, target)),
    },
    services.messages,
  );
  return new OfferMapping(services);
}
