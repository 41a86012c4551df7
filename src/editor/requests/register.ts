import { on, onNothing, onOne } from '../targets';
import { editRequest } from './editRequest';
import { copyAsCurl, type PreviewServices, previewRequest, previewText } from './previewRequest';
import { setWebhook, type WebhookServices } from './setWebhook';
import { testConnection } from './testConnection';

/** Registers the commands that show, edit and test requests, and the one that sets a webhook. */
export function registerRequests(services: PreviewServices & WebhookServices): void {
  services.previews.provide((uri) => previewText(services, uri));
  services.commands.handle(
    {
      'datasetImport.editRequest': on(['task', 'dataset'], (target) => editRequest(services, target)),
      'datasetImport.testConnection': onOne(['dataset'], (row) => testConnection(services, row)),
      'datasetImport.previewRequest': onOne(['file', 'task'], (row) => previewRequest(services, row)),
      'datasetImport.copyAsCurl': onNothing(() => copyAsCurl(services)),
      'datasetImport.setWebhook': onOne(['dataset'], (row) => setWebhook(services, row)),
    },
    services.messages,
  );
}
