import { FileSystemError, type Uri, workspace } from 'vscode';
import { IgnoreFiles } from '../../files/gitignore';
import { type MatchBudget, PatternsTooComplexError } from '../../files/matchBudget';
import { childUri } from './childUri';
import { pathInWorkspace } from './pathInWorkspace';

export const IGNORE_FILE = '.gitignore';

/** Max size of an ignore file. */
const MAX_BYTES = 1024 * 1024;

/**
 * The ignore files from `top` down to the parent of the folder at `path`. Those that ignore the folder itself or its
 * parents are dropped, since the user chose the folder. @throws as `withIgnoreFileIn`
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
 * Adds the ignore file of the folder at `path` below `top`, if any.
 * @throws FileSystemError where the file cannot be read, PatternsTooComplexError where it is too large or complex
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
    if (error instanceof FileSystemError && /^File(NotFound|IsADirectory)$/.test(error.code)) return above;
    throw error;
  }
}
