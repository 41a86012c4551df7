import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** User settings that turn off network access, welcome pages, tips and animations. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Writes the quiet settings, plus any settings in `more`, to settings.json in an editor's user settings folder. */
export function writeUserSettings(userFolder: string, more: Readonly<Record<string, unknown>> = {}): void {
  mkdirSync(userFolder, { recursive: true });
  writeFileSync(join(userFolder, 'settings.json'), JSON.stringify({ ...quietSettings, ...more }, null, 2));
}
