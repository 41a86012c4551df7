import { posix } from 'node:path';
import { Uri, workspace } from 'vscode';
import { truePath as truePathOnDisk } from '../../tasks/sending/checkedSource';

/** The path of a file inside the workspace, as VS Code shows it, or the name of a file outside. */
export function pathInWorkspace(uri: Uri): string {
  return workspace.getWorkspaceFolder(uri) === undefined
    ? posix.basename(uri.path)
    : workspace.asRelativePath(uri, false);
}

/** The URI path with links resolved; the unchanged path if they can't be resolved. */
export async function truePath(uri: Uri): Promise<string> {
  return uri.scheme === 'file' ? Uri.file(await truePathOnDisk(uri.fsPath)).path : uri.path;
}

/** The path on disk, as the disk itself gives it: that of a URI has the letter of a drive in lower case. */
export function diskPath({ fsPath }: Uri): string {
  return fsPath.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** Whether there is a file or folder at this address. */
export async function exists(uri: Uri): Promise<boolean> {
  return workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
