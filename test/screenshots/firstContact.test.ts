import { join } from 'node:path';
import { importOnce } from '../e2e/importOnce';
import { useWorkbench } from '../e2e/useWorkbench';
import { projectFolder } from '../suites/project';
import { takePictures } from './takePictures';

describe('The first contact, in screenshots for people', () => {
  const open = useWorkbench(() => ({
    workspace: join(projectFolder, 'test', 'workspace'),
    settings: { 'window.autoDetectColorScheme': true },
  }));
  const picture = (name: string, bring?: () => Promise<unknown>) => takePictures(open(), name, bring);

  it('of the welcome, each step of the walkthrough, the requests of the sandbox and the settings', async () => {
    const { workbench, page } = open();
    // A narrower editor leaves out the pictures of a walkthrough.
    await page.setViewportSize({ width: 1500, height: 900 });
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForWelcome(/walkthrough/);
    await picture('welcome-first');
    await tasks.clickWelcome('Open the walkthrough');
    for (const step of ['sandbox', 'import', 'follow', 'dataset', 'ownImport']) {
      await page.locator(`[data-step-id$="#${step}"]`).click();
      await picture(`walkthrough-${step}`, () => page.waitForTimeout(1500));
    }
    await tasks.clickWelcome('Start the sandbox');
    await workbench.notifications.waitFor('The sandbox is running');
    await workbench.notifications.clear();
    await importOnce(workbench, 'notes.txt');
    await workbench.view('Datasets').clickInline('Show Sandbox Requests', 'Sandbox');
    await workbench.editors.waitForText((text) => text.includes('/query-task'));
    await picture('sandbox-requests');
    await workbench.runCommand('Preferences: Open Settings (UI)');
    await page.locator('.settings-editor .suggest-input-container').click();
    await page.keyboard.type('@ext:dataset-import.dataset-import');
    await page.locator('.setting-item', { hasText: 'File Extensions' }).first().waitFor();
    await picture('settings', () => page.waitForTimeout(1000));
  });
});
