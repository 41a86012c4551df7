import path, { posix } from 'node:path';
import { Uri, workspace } from 'vscode';
import { truePath as truePathOnDisk } from '../../tasks/sending/checkedSource';
import { shortText } from '../platform/outsideText';

/**
 * The path inside the workspace, after the name of the root if there are several. Outside, the path inside the chosen
 * folder, after the name of that folder; a file that was chosen itself comes after the name of its folder.
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

/** The URI path with links resolved; the unchanged path if they can't be resolved. */
export async function truePath(uri: Uri): Promise<string> {
  return uri.scheme === 'file' ? Uri.file(await truePathOnDisk(uri.fsPath)).path : uri.path;
}

/** The path on disk, as the disk itself gives it: that of a URI has the letter of a drive in lower case. */
export function diskPath({ fsPath }: Uri): string {
  return fsPath.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** The address of a stored path: a file that isn't on disk is stored with its whole URI. */
export function fileUri(stored: string): Uri {
  return path.isAbsolute(stored) ? Uri.file(stored) : Uri.parse(stored, true);
}

/** A stored path as VS Code shows it, or the whole path outside the workspace. */
export function formatPath(stored: string): string {
  const uri = fileUri(stored);
  return shortText(workspace.getWorkspaceFolder(uri) === undefined ? stored : pathInWorkspace(uri));
}

/** Whether there is a file or folder at this address. */
export async function exists(uri: Uri): Promise<boolean> {
  return workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
