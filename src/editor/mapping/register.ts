import { Disposable } from 'vscode';
import { registerCommands } from '../platform/registerCommands';
import { chooseFieldOfTask, chooseMeaningOfStatus, mapResponses } from './mapResponses';
import { type OfferDeps, OfferMapping } from './offerMapping';

/** Registers the commands that map responses, and the messages that offer them. */
export function registerMapping(deps: OfferDeps): Disposable {
  return Disposable.from(
    new OfferMapping(deps),
    registerCommands(
      {
        mapResponses: (target) => mapResponses(deps, target),
        chooseTaskId: (target) => chooseFieldOfTask(deps, 'taskId', target),
        chooseStatus: (target) => chooseFieldOfTask(deps, 'status', target),
        chooseStatusMeaning: (target) => chooseMeaningOfStatus(deps, target),
      },
      deps.messages,
    ),
  );
}
