import type { Locator, Page } from 'playwright-core';
import { activityTab, openContainer } from './activityBar';
import { Dialog } from './dialog';
import { Editors } from './editors';
import { Explorer } from './explorer';
import { Notifications } from './notifications';
import { QuickInput } from './quickInput';
import { TreeView } from './treeView';
import { limitMs, waitUntil } from './waitUntil';

/** A VS Code window. Every step waits until the elements it needs exist. */
export class Workbench {
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly explorer: Explorer;
  readonly editors: Editors;
  readonly notifications: Notifications;
  readonly dialog: Dialog;

  constructor(page: Page) {
    page.setDefaultTimeout(limitMs);
    this.page = page;
    this.quickInput = new QuickInput(page);
    this.explorer = new Explorer(page);
    this.editors = new Editors(page);
    this.notifications = new Notifications(page);
    this.dialog = new Dialog(page);
  }

  /** Waits until the extension's view container is in the activity bar. */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await activityTab(this.page, 'Dataset Import').waitFor();
  }

  /** Runs a command by its full title, such as "Dataset Import: Import Files…". */
  async runCommand(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** Waits until the extension's view container has a badge with this text, or no badge if the text is undefined. */
  async waitForBadge(text: string | undefined): Promise<void> {
    const badged = activityTab(this.page, 'Dataset Import').locator('[aria-label*="your attention"]');
    await waitUntil(`the badge "${text}"`, async () => {
      const label = await badged
        .first()
        .getAttribute('aria-label', { timeout: 500 })
        .catch(() => undefined);
      return (text === undefined ? label === undefined : label?.includes(text)) || undefined;
    });
  }

  /** Opens a view container from the activity bar. */
  async openContainer(title: string): Promise<void> {
    await openContainer(this.page, title, this.page.locator('.sidebar .composite.title', { hasText: title }));
  }

  /** A view in the open container. */
  view(title: string): TreeView {
    return new TreeView(this.page, title);
  }

  /** Reloads the window with VS Code's own command, because reloading the page would lose unsaved state. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.ready();
  }

  /**
   * Drags a file from the Explorer over a container's tab, which opens the container, and drops the file on a row in
   * one of the container's views.
   */
  async dragToRow(file: string, container: string, view: string, label: string): Promise<void> {
    await this.explorer.grab(file);
    const { mouse } = this.page;
    const row = this.view(view).row(label);
    // VS Code reacts to a drag only while the mouse is moving.
    let wobble = 0;
    const moveTo = async (target: Locator) => {
      const box = await target.boundingBox();
      if (box === null) throw new Error('The element to move to is not visible.');
      wobble = 1 - wobble;
      await mouse.move(box.x + box.width / 2 + wobble, box.y + box.height / 2, { steps: 10 });
    };
    await waitUntil(`the view "${view}" to open under the mouse`, async () => {
      await moveTo(activityTab(this.page, container));
      return (await row.isVisible()) || undefined;
    });
    await waitUntil(`the row "${label}" to accept the drop`, async () => {
      await moveTo(row);
      return (await row.and(this.page.locator('.drop-target')).isVisible()) || undefined;
    });
    await mouse.up();
  }

  async clipboard(): Promise<string> {
    return await this.page.evaluate<string>('navigator.clipboard.readText()');
  }

  async setClipboard(text: string): Promise<void> {
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  }

  async screenshot(file: string): Promise<void> {
    await this.page.screenshot({ path: file, animations: 'disabled' });
  }
}
