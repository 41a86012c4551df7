import type { Disposable } from 'vscode';
import { on } from '../targets';
import type { MappingServices } from './mapping';
import { mapResponses } from './mapResponses';
import { mapStatuses } from './mapStatuses';
import { OfferMapping } from './offerMapping';

/** Registers the commands that map responses, and the messages that offer them. */
export function registerMapping(services: MappingServices): Disposable {
  services.commands.handle(
    {
      'datasetImport.mapResponses': on(['task', 'dataset'], (target) => mapResponses(services, target)),
      'datasetImport.mapStatuses': on(['task'], (target) => mapStatuses(services, target)),
    },
    services.messages,
  );
  return new OfferMapping(services);
}
