import { realpath } from 'node:fs/promises';
import { Uri } from 'vscode';

/** The URI path with links resolved; the unchanged path where they cannot be resolved. */
export async function truePath(uri: Uri): Promise<string> {
  if (uri.scheme !== 'file') return uri.path;
  return await realpath(uri.fsPath).then(
    (path) => Uri.file(path).path,
    () => uri.path,
  );
}
