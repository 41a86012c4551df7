import { FileSystemError, type Uri, workspace } from 'vscode';
import { IgnoreFiles } from '../tasks/gitignore';
import { childUri } from './childUri';

/** The name of the files that Git, too, goes by. */
export const IGNORE_FILE = '.gitignore';

/**
 * What the ignore files above a folder say, from `top` down; `path` leads from there to the folder. Where they leave
 * out the folder itself they do not count: who chose it wants what is in it.
 */
export async function ignoreFilesAbove(top: Uri, path: string): Promise<IgnoreFiles> {
  const parts = path.split('/').filter(Boolean);
  let ignoreFiles = IgnoreFiles.none;
  for (const depth of parts.keys()) {
    ignoreFiles = await withIgnoreFileIn(top, parts.slice(0, depth).join('/'), ignoreFiles);
    if (ignoreFiles.ignoresFolder(parts.slice(0, depth + 1).join('/'))) ignoreFiles = IgnoreFiles.none;
  }
  return ignoreFiles;
}

/**
 * Adds what the ignore file of a folder says, where there is one; `path` leads from `top` to the folder.
 * @throws FileSystemError where there is one that cannot be read: what it holds back is not known then
 */
export async function withIgnoreFileIn(top: Uri, path: string, above: IgnoreFiles): Promise<IgnoreFiles> {
  try {
    const bytes = await workspace.fs.readFile(childUri(top, path === '' ? IGNORE_FILE : `${path}/${IGNORE_FILE}`));
    return above.with(path, new TextDecoder().decode(bytes));
  } catch (error) {
    const isNone = error instanceof FileSystemError && /^File(NotFound|IsADirectory)$/.test(error.code);
    if (isNone) return above;
    throw error;
  }
}
