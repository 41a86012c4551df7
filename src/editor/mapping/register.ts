import { Disposable } from 'vscode';
import { registerCommands } from '../platform/registerCommands';
import { chooseFieldOfTask, chooseMeaningOfStatus, mapResponses, tellStateOfTask } from './mapResponses';
import { type OfferDeps, OfferMapping } from './offerMapping';

/** Registers the commands that map responses, and the messages that offer them. */
export function registerMapping(deps: OfferDeps): Disposable {
  return Disposable.from(
    new OfferMapping(deps),
    registerCommands(
      {
        'datasetImport.mapResponses': (target) => mapResponses(deps, target),
        'datasetImport.chooseTaskId': (target) => chooseFieldOfTask(deps, 'taskId', target),
        'datasetImport.chooseStatus': (target) => chooseFieldOfTask(deps, 'status', target),
        'datasetImport.chooseMessage': (target) => chooseFieldOfTask(deps, 'message', target),
        'datasetImport.tellState': (target) => tellStateOfTask(deps, target),
        'datasetImport.chooseStatusMeaning': (target) => chooseMeaningOfStatus(deps, target),
      },
      deps.messages,
    ),
  );
}
