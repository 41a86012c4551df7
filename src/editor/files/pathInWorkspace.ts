import { posix } from 'node:path';
import { type Uri, workspace } from 'vscode';

/** The path of a file inside the workspace, as VS Code shows it, or the name of a file outside. */
export function pathInWorkspace(uri: Uri): string {
  return workspace.getWorkspaceFolder(uri) === undefined
    ? posix.basename(uri.path)
    : workspace.asRelativePath(uri, false);
}
