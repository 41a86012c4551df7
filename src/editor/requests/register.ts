import { editRequest } from './editRequest';
import { type LastResponses, showLastResponse } from './lastResponses';
import { copyAsCurl, type PreviewServices, previewImport, previewQuery } from './previewImport';
import { testConnection } from './testConnection';

/** Registers the commands that show and edit requests, and show responses. */
export function registerRequests(services: PreviewServices & { readonly responses: LastResponses }): void {
  services.commands.handle(
    {
      'datasetImport.editRequest': (target) => editRequest(services, target),
      'datasetImport.testConnection': (target) => testConnection(services, target),
      'datasetImport.previewImport': (target) => previewImport(services, target),
      'datasetImport.previewQuery': (target) => previewQuery(services, target),
      'datasetImport.copyAsCurl': (target) => copyAsCurl(services, target),
      'datasetImport.showLastResponse': (target) => showLastResponse(services, target),
    },
    services.messages,
  );
}
