import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../editor/runProcess';
import { outFolder, projectFolder } from '../suites/project';

const folder = join(outFolder, 'tested');

/** The groups of tests that must pass before a release (see `parts` in allSuites.ts). */
const required = ['test', 'rest'];

export interface Commit {
  readonly hash: string;
  /** The commit time, in seconds since 1970. */
  readonly seconds: number;
}

/** The current commit. @throws Error if there are uncommitted changes or files */
export async function cleanCommit(cwd = projectFolder): Promise<Commit> {
  const git = (...args: string[]) => runProcess('git', args, { cwd });
  const changed = await git('status', '--porcelain');
  if (changed !== '') throw new Error(`Not committed:\n${changed}`);
  const [hash = '', seconds = ''] = (await git('log', '-1', '--format=%H %ct')).trim().split(' ');
  return { hash, seconds: Number(seconds) };
}

/** Records that these parts of the tests passed for a commit, unless files have changed since the tests started. */
export async function noteTested(tested: Commit, parts: readonly string[]): Promise<void> {
  const now = await cleanCommit().catch(() => undefined);
  if (now?.hash !== tested.hash) return;
  mkdirSync(folder, { recursive: true });
  for (const part of parts) writeFileSync(join(folder, part), tested.hash);
}

/** The parts of the tests that haven't passed for a commit on this machine. */
export function untestedParts({ hash }: Commit): string[] {
  return required.filter((part) => read(join(folder, part)) !== hash);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
