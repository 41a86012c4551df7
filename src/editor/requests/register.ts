import { on, onOne } from '../targets';
import { editRequest } from './editRequest';
import { copyAsCurl, type PreviewServices, previewImport, previewQuery } from './previewImport';
import { testConnection } from './testConnection';

/** Registers the commands that show, edit and test requests. */
export function registerRequests(services: PreviewServices): void {
  services.commands.handle(
    {
      'datasetImport.editRequest': on(['task', 'dataset'], (target) => editRequest(services, target)),
      'datasetImport.testConnection': onOne(['dataset'], (row) => testConnection(services, row)),
      'datasetImport.previewImport': onOne(['file'], (uri) => previewImport(services, uri)),
      'datasetImport.previewQuery': on(['task'], (target) => previewQuery(services, target)),
      'datasetImport.copyAsCurl': onOne(['file'], (uri) => copyAsCurl(services, uri)),
    },
    services.messages,
  );
}
