import { runProcess } from './runProcess';

/** Installs the packages listed in a folder's package.json without running their scripts, which could need a compiler. */
export async function npmInstall(folder: string, ...options: readonly string[]): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  await runProcess('npm', ['install', ...quiet, '--engine-strict=false', ...options], { cwd: folder });
}
