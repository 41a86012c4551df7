import { FileSystemError, type Uri, workspace } from 'vscode';
import { IgnoreFiles } from '../../files/gitignore';
import { type MatchBudget, PatternsTooComplexError } from '../../files/matchBudget';
import { childUri } from './childUri';
import { pathInWorkspace } from './pathInWorkspace';

/** The name of the files that Git, too, goes by. */
export const IGNORE_FILE = '.gitignore';

/** Nobody writes a larger one by hand. */
const MAX_BYTES = 1024 * 1024;

/**
 * What the ignore files above a folder say, from `top` down; `path` leads from there to the folder. Where they leave
 * out the folder itself they do not count: who chose it wants what is in it. @throws as `withIgnoreFileIn`
 */
export async function ignoreFilesAbove(top: Uri, path: string, budget: MatchBudget): Promise<IgnoreFiles> {
  const parts = path.split('/').filter(Boolean);
  let ignoreFiles = IgnoreFiles.none;
  for (const depth of parts.keys()) {
    ignoreFiles = await withIgnoreFileIn(top, parts.slice(0, depth).join('/'), ignoreFiles, budget);
    const isLeftOut = await ignoreFiles.ignores(parts.slice(0, depth + 1).join('/'), true, budget);
    if (isLeftOut) ignoreFiles = IgnoreFiles.none;
  }
  return ignoreFiles;
}

/**
 * Adds what the ignore file of a folder says, where there is one; `path` leads from `top` to the folder.
 * @throws where there is one that cannot be read (FileSystemError) or is too much to go by (PatternsTooComplexError):
 * what it holds back is not known then
 */
export async function withIgnoreFileIn(
  top: Uri,
  path: string,
  above: IgnoreFiles,
  budget: MatchBudget,
): Promise<IgnoreFiles> {
  const uri = childUri(top, path === '' ? IGNORE_FILE : `${path}/${IGNORE_FILE}`);
  const source = pathInWorkspace(uri);
  try {
    const { size } = await workspace.fs.stat(uri);
    if (size > MAX_BYTES) throw new PatternsTooComplexError(source);
    const bytes = await workspace.fs.readFile(uri);
    return await above.with(path, new TextDecoder().decode(bytes), source, budget);
  } catch (error) {
    const isNone = error instanceof FileSystemError && /^File(NotFound|IsADirectory)$/.test(error.code);
    if (isNone) return above;
    throw error;
  }
}
