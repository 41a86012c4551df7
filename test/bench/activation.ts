import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openWorkbench } from '../e2e/openWorkbench';
import { testedEditor } from '../editor/editorVersions';
import { packageExtension } from '../suites/build';
import { projectFolder } from '../suites/project';
import { type Comparison, repeat } from './comparison';

/**
 * Our extension and four built-in ones. Two of those activate after startup, like ours, and two activate during
 * startup.
 */
const extensions = ['Dataset Import', 'Merge Conflict', 'Node Debug Auto-attach', 'GitHub', 'Git'];

/**
 * Compares the packaged extension's activation time with those of built-in extensions, as reported by VS Code. The
 * times include loading the code.
 */
export async function activation(short: boolean): Promise<Comparison[]> {
  await packageExtension();
  const { workbench, page, close } = await openWorkbench({
    workspace: join(projectFolder, 'test', 'workspace'),
    settings: { 'workbench.editor.useModal': 'off' },
  });
  try {
    // VS Code renders only visible rows, so make the window tall enough for the whole list.
    await page.setViewportSize({ width: 1280, height: 2400 });
    const runs = await repeat(short ? 1 : 10, async () => {
      // Reload, because the first load has to read all the code from disk.
      await workbench.reload();
      await workbench.runCommand('Developer: Show Running Extensions');
      const ms: Record<string, number> = {};
      for (const extension of extensions) ms[extension] = await reportedMs(page, extension);
      return { ms };
    });
    return [{ title: `Activation in VS Code ${testedEditor().vscode}`, runs, show: (ms) => `${ms} ms` }];
  } finally {
    await close();
  }
}

/** Waits until VS Code reports an extension's activation time, and returns it. */
async function reportedMs(page: Page, extension: string): Promise<number> {
  const name = page.locator('.name', { hasText: new RegExp(`^${extension}$`) });
  const row = page.locator('.runtime-extensions-editor .monaco-list-row').filter({ has: name });
  const reported = await row
    .locator('.activation-time')
    .filter({ hasText: /\d+ ?ms/ })
    .innerText();
  return Number(/(\d+) ?ms/.exec(reported)?.[1]);
}
