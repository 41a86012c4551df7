import type { IgnoreFiles } from '../../../src/files/gitignore';
import { MatchBudget } from '../../../src/files/matchBudget';

/** Whether ignore files leave out a path, or a folder that leads to it; that of a folder ends in `/`. */
export async function leavesOut(files: IgnoreFiles, path: string, budget = new MatchBudget()): Promise<boolean> {
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
    if (await files.ignores(path.slice(0, end), true, budget)) return true;
  }
  return !path.endsWith('/') && (await files.ignores(path, false, budget));
}
