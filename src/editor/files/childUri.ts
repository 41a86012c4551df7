import type { Uri } from 'vscode';

/** What is in a folder under this name or path, to the letter: joinPath takes a backslash or `..` for more than a name. */
export function childUri(folder: Uri, path: string): Uri {
  return folder.with({ path: `${folder.path.replace(/\/$/, '')}/${path}` });
}
