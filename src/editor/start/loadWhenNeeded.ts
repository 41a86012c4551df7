import { existsSync } from 'node:fs';
import { Disposable } from 'vscode';
import { datasetsSetting, onSettingChange, sandboxStartsAutomatically } from '../platform/settings';
import type { Loader } from './loader';

/** How often to look for a task database, which another window may create. */
const PAUSE_MS = 1000;

/**
 * Loads the engine if there is something to do without the user's asking: imports that a closed window may have left in the
 * task database at this path, a fault in the settings to warn about, or a sandbox to start.
 */
export function loadWhenNeeded(rest: Loader<unknown>, storePath: string): Disposable {
  const loadIf = (isNeeded: boolean) => {
    // The loader shows errors.
    if (isNeeded) rest.get().catch(() => {});
    if (rest.begun !== undefined) waiting.dispose();
  };
  const loadForFaults = async () => {
    const setting = datasetsSetting();
    if (setting === undefined || rest.begun !== undefined) return;
    const { hasDatasetFaults } = await import('./hasDatasetFaults');
    loadIf(hasDatasetFaults(setting));
  };
  const looking = setInterval(() => loadIf(existsSync(storePath)), PAUSE_MS);
  // Not during activation, because other extensions wait for it.
  const first = setImmediate(() => {
    loadIf(existsSync(storePath) || sandboxStartsAutomatically());
    void loadForFaults();
  });
  const listening = onSettingChange('datasets', () => void loadForFaults());
  const waiting = new Disposable(() => {
    clearInterval(looking);
    clearImmediate(first);
    listening.dispose();
  });
  return waiting;
}
