import { Disposable } from 'vscode';
import type { Messages } from '../platform/messages';
import { registerCommands } from '../platform/registerCommands';
import { type EditDeps, editRequest } from './editRequest';
import type { LastResponses } from './lastResponses';
import { copyAsCurl, previewImport, previewQuery } from './previewImport';
import { RequestPreviews } from './requestPreviews';
import { showLastResponse } from './showLastResponse';

/** Registers the commands that show and edit requests, and show responses. */
export function registerRequests(
  deps: EditDeps & { readonly responses: LastResponses; readonly messages: Messages },
): Disposable {
  const previews = new RequestPreviews();
  const previewing = { ...deps, previews };
  const commands = registerCommands(
    {
      editRequest: (target) => editRequest(deps, target),
      previewImport: (target) => previewImport(previewing, target),
      previewQuery: (target) => previewQuery(previewing, target),
      copyAsCurl: (target) => copyAsCurl(previewing, target),
      showLastResponse: (target) => showLastResponse(deps, target),
    },
    deps.messages,
  );
  return Disposable.from(previews, commands);
}
