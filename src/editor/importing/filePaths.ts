import path, { posix } from 'node:path';
import { Uri, workspace } from 'vscode';
import { truePath as truePathOnDisk } from '../../tasks/sending/checkedSource';
import { shortText } from '../platform/outsideText';

/**
 * The path in the workspace, with the name of the workspace folder first if there are several. Outside the workspace, the path
 * in the chosen folder, with the name of that folder first; for a file that was chosen itself, its own folder and name.
 */
export function pathInWorkspace(uri: Uri, chosenFolders: readonly Uri[] = []): string {
  if (workspace.getWorkspaceFolder(uri) !== undefined) return workspace.asRelativePath(uri);
  const folder = chosenFolders.find((one) => isIn(one, uri));
  return posix.relative(posix.dirname(folder?.path ?? posix.dirname(uri.path)), uri.path);
}

/** Whether a file is somewhere in a folder. */
export function isIn(folder: Uri, file: Uri): boolean {
  const isSameDisk = folder.scheme === file.scheme && folder.authority === file.authority;
  return isSameDisk && file.path.startsWith(folder.path.endsWith('/') ? folder.path : `${folder.path}/`);
}

/** The path of a URI with links resolved, or the same path if they can't be resolved. */
export async function truePath(uri: Uri): Promise<string> {
  return uri.scheme === 'file' ? Uri.file(await truePathOnDisk(uri.fsPath)).path : uri.path;
}

/** The path on disk, with a capital drive letter as in resolved paths. URIs have small drive letters. */
export function diskPath({ fsPath }: Uri): string {
  return fsPath.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** The URI of a stored path. A file that isn't on disk is stored with its whole URI. */
export function fileUri(stored: string): Uri {
  return path.isAbsolute(stored) ? Uri.file(stored) : Uri.parse(stored, true);
}

/** A stored path as VS Code shows it: relative in the workspace, whole outside. */
export function formatPath(stored: string): string {
  const uri = fileUri(stored);
  return shortText(workspace.getWorkspaceFolder(uri) === undefined ? stored : pathInWorkspace(uri));
}

export async function exists(uri: Uri): Promise<boolean> {
  return workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
