import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../editor/runProcess';
import { outFolder, projectFolder } from '../suites/project';

const folder = join(outFolder, 'tested');

/** The parts of the tests that a release demands. */
const demanded = ['test', 'rest'];

/** A commit of the project. */
export interface Commit {
  readonly hash: string;
  /** When it was made, in seconds since 1970. */
  readonly seconds: number;
}

/** The commit that is checked out; throws if there are changes or files that are not committed. */
export async function cleanCommit(cwd = projectFolder): Promise<Commit> {
  const git = (...args: string[]) => runProcess('git', args, { cwd });
  const changed = await git('status', '--porcelain');
  if (changed !== '') throw new Error(`Not committed:\n${changed}`);
  const [hash = '', seconds = ''] = (await git('log', '-1', '--format=%H %ct')).trim().split(' ');
  return { hash, seconds: Number(seconds) };
}

/** Notes that these parts of the tests passed for the commit, unless the folder has changed since they began. */
export async function noteTested(begun: Commit, parts: readonly string[]): Promise<void> {
  const now = await cleanCommit().catch(() => undefined);
  if (now?.hash !== begun.hash) return;
  mkdirSync(folder, { recursive: true });
  for (const part of parts) writeFileSync(join(folder, part), begun.hash);
}

/** The parts of the tests that have not passed here for the commit. */
export function untestedParts({ hash }: Commit): string[] {
  return demanded.filter((part) => read(join(folder, part)) !== hash);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
