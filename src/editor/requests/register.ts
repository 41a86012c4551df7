import type { Messages } from '../platform/messages';
import type { Commands } from '../start/commands';
import { editRequest } from './editRequest';
import type { LastResponses } from './lastResponses';
import { copyAsCurl, previewImport, previewQuery } from './previewImport';
import type { RequestPreviews } from './requestPreviews';
import { showLastResponse } from './showLastResponse';
import { type TestDeps, testConnection } from './testConnection';

/** Registers the commands that show and edit requests, and show responses. */
export function registerRequests(
  deps: TestDeps & {
    readonly responses: LastResponses;
    readonly previews: RequestPreviews;
    readonly messages: Messages;
    readonly commands: Commands;
  },
): void {
  deps.commands.handle(
    {
      'datasetImport.editRequest': (target) => editRequest(deps, target),
      'datasetImport.testConnection': (target) => testConnection(deps, target),
      'datasetImport.previewImport': (target) => previewImport(deps, target),
      'datasetImport.previewQuery': (target) => previewQuery(deps, target),
      'datasetImport.copyAsCurl': (target) => copyAsCurl(deps, target),
      'datasetImport.showLastResponse': (target) => showLastResponse(deps, target),
    },
    deps.messages,
  );
}
