import { runProcess } from '../editor/runProcess';
import { projectFolder } from '../suites/project';

/**
 * The current commit's time, in seconds since 1970.
 * @throws Error if there are uncommitted changes or untracked files
 */
export async function cleanCommitSeconds(cwd = projectFolder): Promise<number> {
  const git = (...args: string[]) => runProcess('git', args, { cwd });
  const changed = await git('status', '--porcelain');
  if (changed !== '') throw new Error(`Not committed:\n${changed}`);
  return Number(await git('log', '-1', '--format=%ct'));
}
