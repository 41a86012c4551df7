import path, { posix } from 'node:path';
import { FileSystemError, Uri, workspace } from 'vscode';
import { truePath as truePathOnDisk } from '../../tasks/sending/checkedSource';
import { shortText } from '../platform/outsideText';

/**
 * The path in the workspace, starting with the workspace folder's name if there is more than one folder. For a file
 * outside the workspace, the path in the chosen folder, starting with that folder's name. For a file that was chosen by
 * itself, its folder's name and its own name.
 */
export function pathInWorkspace(uri: Uri, chosenFolders: readonly Uri[] = []): string {
  if (workspace.getWorkspaceFolder(uri) !== undefined) return workspace.asRelativePath(uri);
  const folder = chosenFolders.find((one) => isIn(one, uri));
  return posix.relative(posix.dirname(folder?.path ?? posix.dirname(uri.path)), uri.path);
}

/** Whether a file is in a folder or in one of its subfolders. */
export function isIn(folder: Uri, file: Uri): boolean {
  const isSameDisk = folder.scheme === file.scheme && folder.authority === file.authority;
  return isSameDisk && file.path.startsWith(folder.path.endsWith('/') ? folder.path : `${folder.path}/`);
}

/** A URI's path with links resolved. If the links can't be resolved, the path is unchanged. */
export async function truePath(uri: Uri): Promise<string> {
  return uri.scheme === 'file' ? Uri.file(await truePathOnDisk(uri.fsPath)).path : uri.path;
}

/** The path on disk, with an uppercase drive letter as in resolved paths. URIs have lowercase drive letters. */
export function diskPath({ fsPath }: Uri): string {
  return fsPath.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** The URI for a stored path. For a file that isn't on disk, the stored path is its URI. */
export function fileUri(stored: string): Uri {
  return path.isAbsolute(stored) ? Uri.file(stored) : Uri.parse(stored, true);
}

/**
 * Returns a function that creates the URI for a stored path. If a workspace folder is a link, the URI of a file in it is
 * its URI in the workspace, so that the workspace's settings and ignore files apply.
 */
export async function workspaceUris(): Promise<(stored: string) => Uri> {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const open = await Promise.all(folders.map(async (uri) => ({ uri, real: uri.with({ path: await truePath(uri) }) })));
  return (stored) => {
    const uri = fileUri(stored);
    const folder = open.find(({ real }) => real.path === uri.path || isIn(real, uri));
    return folder === undefined
      ? uri
      : folder.uri.with({ path: folder.uri.path + uri.path.slice(folder.real.path.length) });
  };
}

/** The path to store: the real path of a file on disk, or the URI of any other file. */
export async function storedPath(uri: Uri): Promise<string> {
  return uri.scheme === 'file' ? diskPath(uri.with({ path: await truePath(uri) })) : uri.toString();
}

/** A stored path the way VS Code shows it: relative inside the workspace, absolute outside it. */
export function formatPath(stored: string): string {
  const uri = fileUri(stored);
  return shortText(workspace.getWorkspaceFolder(uri) === undefined ? stored : pathInWorkspace(uri));
}

/** Whether there is a file or folder. Also true if we can't find out, for example because its drive isn't available. */
export async function exists(uri: Uri): Promise<boolean> {
  return workspace.fs.stat(uri).then(
    () => true,
    (error) => !(error instanceof FileSystemError && /^FileNot(Found|ADirectory)$/.test(error.code)),
  );
}
