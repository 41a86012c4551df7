import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../editor/runProcess';
import { outFolder, projectFolder } from '../suites/project';

const MARK = join(outFolder, 'tested-commit');

/** A commit of the project. */
export interface Commit {
  readonly hash: string;
  /** When it was made, in seconds since 1970. */
  readonly seconds: number;
}

/** The commit that is checked out in a folder; throws where it has changes or files that are not committed. */
export async function cleanCommit(folder = projectFolder): Promise<Commit> {
  const git = (...args: string[]) => runProcess('git', args, { cwd: folder });
  const changed = await git('status', '--porcelain');
  if (changed !== '') throw new Error(`Not committed:\n${changed}`);
  const [hash = '', seconds = ''] = (await git('log', '-1', '--format=%H %ct')).trim().split(' ');
  return { hash, seconds: Number(seconds) };
}

/** Notes that all tests passed, of the commit that is checked out; of none where anything is not committed. */
export async function noteTested(): Promise<void> {
  rmSync(MARK, { force: true });
  const commit = await cleanCommit().catch(() => undefined);
  if (commit === undefined) return;
  mkdirSync(outFolder, { recursive: true });
  writeFileSync(MARK, commit.hash);
}

/** Whether all tests have passed of a commit, here. */
export function wasTested({ hash }: Commit): boolean {
  try {
    return readFileSync(MARK, 'utf8') === hash;
  } catch {
    return false;
  }
}
