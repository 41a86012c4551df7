import { join } from 'node:path';
import type { OpenWorkbench } from './openWorkbench';

/** The user's settings.json of a workbench. */
export function settingsFile({ dataFolder }: Pick<OpenWorkbench, 'dataFolder'>): string {
  return join(dataFolder, 'User', 'settings.json');
}

/** Replaces what stands in settings.json, in its editor, and saves it. */
export async function editSettings(open: OpenWorkbench, text: string): Promise<void> {
  const { workbench } = open;
  await workbench.runCommand('Dataset Import: Open Dataset Settings');
  await workbench.editors.waitForActive('settings.json');
  await workbench.editors.replaceAndSave(text, settingsFile(open));
}
