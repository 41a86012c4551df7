import { existsSync } from 'node:fs';
import { Disposable } from 'vscode';
import { datasetsSetting, onSettingChange, sandboxStartsAutomatically } from '../platform/settings';
import type { Loader } from './loader';

/** How often to look for a task database, which another window may make. */
const PAUSE_MS = 1000;

/**
 * Loads the rest once there is something to do that nobody asks for: imports in the task database at this path, which a
 * closed window may have left; a fault in the settings, to warn of; a sandbox to start.
 */
export function loadWhenNeeded(rest: Loader<unknown>, storePath: string): Disposable {
  const loadIf = (isNeeded: boolean) => {
    // A failure was shown.
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
  // Not within the activation, which other extensions wait for.
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
