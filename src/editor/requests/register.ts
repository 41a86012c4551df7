import { Disposable } from 'vscode';
import { registerCommands } from '../platform/registerCommands';
import { editRequest } from './editRequest';
import type { LastResponses } from './lastResponses';
import { copyAsCurl, previewImport, previewQuery } from './previewImport';
import { RequestPreviews } from './requestPreviews';
import { showLastResponse } from './showLastResponse';
import { type TestDeps, testConnection } from './testConnection';

/** Registers the commands that show and edit requests, and show responses. */
export function registerRequests(deps: TestDeps & { readonly responses: LastResponses }): Disposable {
  const previews = new RequestPreviews();
  const previewing = { ...deps, previews };
  const commands = registerCommands(
    {
      'datasetImport.editRequest': (target) => editRequest(deps, target),
      'datasetImport.testConnection': (target) => testConnection(deps, target),
      'datasetImport.previewImport': (target) => previewImport(previewing, target),
      'datasetImport.previewQuery': (target) => previewQuery(previewing, target),
      'datasetImport.copyAsCurl': (target) => copyAsCurl(previewing, target),
      'datasetImport.showLastResponse': (target) => showLastResponse(deps, target),
    },
    deps.messages,
  );
  return Disposable.from(previews, commands);
}
