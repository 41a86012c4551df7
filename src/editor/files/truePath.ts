import { realpath } from 'node:fs/promises';
import { Uri } from 'vscode';

/** The path to which links lead, written as in URIs; the path as it is where that cannot be told. */
export async function truePath(uri: Uri): Promise<string> {
  if (uri.scheme !== 'file') return uri.path;
  return await realpath(uri.fsPath).then(
    (path) => Uri.file(path).path,
    () => uri.path,
  );
}
