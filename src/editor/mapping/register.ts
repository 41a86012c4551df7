import type { Disposable } from 'vscode';
import { chooseFieldOfTask, chooseMeaningOfStatus, type MappingServices, mapResponses } from './mapResponses';
import { OfferMapping } from './offerMapping';

/** Registers the commands that map responses, and the messages that offer them. */
export function registerMapping(services: MappingServices): Disposable {
  services.commands.handle(
    {
      'datasetImport.mapResponses': (target) => mapResponses(services, target),
      'datasetImport.chooseTaskId': (target) => chooseFieldOfTask(services, 'taskId', target),
      'datasetImport.chooseStatus': (target) => chooseFieldOfTask(services, 'status', target),
      'datasetImport.chooseMessage': (target) => chooseFieldOfTask(services, 'message', target),
      'datasetImport.chooseStatusMeaning': (target) => chooseMeaningOfStatus(services, target),
    },
    services.messages,
  );
  return new OfferMapping(services);
}
