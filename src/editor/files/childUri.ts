import type { Uri } from 'vscode';

/** The URI of a path in a folder. Unlike `Uri.joinPath`, it does not interpret a backslash or `..` in a name. */
export function childUri(folder: Uri, path: string): Uri {
  return folder.with({ path: `${folder.path.replace(/\/$/, '')}/${path}` });
}
