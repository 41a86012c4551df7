import { runProcess } from './runProcess';

/** Installs what the folder's package.json lists. No package's script is run: nothing here needs a compiler. */
export async function npmInstall(folder: string, ...options: readonly string[]): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  await runProcess('npm', ['install', ...quiet, '--engine-strict=false', ...options], { cwd: folder });
}
