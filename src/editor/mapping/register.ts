import { Disposable } from 'vscode';
import type { Commands } from '../start/commands';
import { chooseFieldOfTask, chooseMeaningOfStatus, editStateRulesOfTask, mapResponses } from './mapResponses';
import { type OfferDeps, OfferMapping } from './offerMapping';
import { ProgressOffers } from './offerProgress';

/** Registers the commands that map responses, and the messages that offer them. */
export function registerMapping(deps: OfferDeps & { readonly commands: Commands }): Disposable {
  deps.commands.handle(
    {
      'datasetImport.mapResponses': (target) => mapResponses(deps, target),
      'datasetImport.chooseTaskId': (target) => chooseFieldOfTask(deps, 'taskId', target),
      'datasetImport.chooseStatus': (target) => chooseFieldOfTask(deps, 'status', target),
      'datasetImport.chooseMessage': (target) => chooseFieldOfTask(deps, 'message', target),
      'datasetImport.stateRules': (target) => editStateRulesOfTask(deps, target),
      'datasetImport.chooseStatusMeaning': (target) => chooseMeaningOfStatus(deps, target),
    },
    deps.messages,
  );
  return Disposable.from(new OfferMapping(deps), new ProgressOffers(deps));
}
