import type { Locator, Page } from 'playwright-core';
import { ContextMenu } from './contextMenu';
import { leaveTooltips, tooltips } from './tooltips';
import { appears, clickMs, succeeds, waitUntil } from './waitUntil';

/** A row of a tree view, as it is read. */
export interface TreeRow {
  readonly label: string;
  readonly description: string;
  /** What a screen reader says. */
  readonly ariaLabel: string;
  /** What it says after the label: of a task its state first, which a person sees by the icon. */
  readonly spoken: string;
  /** The name of its codicon, without `codicon-`; empty where it has none. */
  readonly icon: string;
  /** 1 for a row at the root. */
  readonly level: number;
}

/** Whether a row's state begins so. */
export const isIn =
  (state: string) =>
  ({ spoken }: TreeRow): boolean =>
    spoken.startsWith(state);

/** A view of a view container, by its title. */
export class TreeView {
  private readonly page: Page;
  private readonly pane: Locator;
  private readonly header: Locator;

  constructor(page: Page, title: string) {
    this.page = page;
    this.pane = page.locator('.pane').filter({ has: page.locator(`.pane-header[aria-label^="${title}"]`) });
    this.header = this.pane.locator('.pane-header');
  }

  /** Whether its container is open now. */
  async isShown(): Promise<boolean> {
    return await this.header.isVisible();
  }

  /** The rows in sight, from top to bottom; none where the view shows its welcome. */
  async rows(): Promise<TreeRow[]> {
    await this.header.waitFor();
    return await this.pane.locator('.monaco-list-row[role="treeitem"]:visible').evaluateAll((rows) =>
      rows
        .sort((one, other) => Number(one.getAttribute('data-index')) - Number(other.getAttribute('data-index')))
        .map((row) => {
          const icon = row.querySelector('.custom-view-tree-node-item-icon')?.className ?? '';
          const label = row.querySelector('.label-name')?.textContent ?? '';
          const ariaLabel = row.getAttribute('aria-label') ?? '';
          return {
            label,
            ariaLabel,
            spoken: ariaLabel.slice(`${label}, `.length),
            description: row.querySelector('.label-description')?.textContent ?? '',
            icon: /codicon-([\w-]+)/.exec(icon)?.[1] ?? '',
            level: Number(row.getAttribute('aria-level')),
          };
        }),
    );
  }

  /** Waits for the first row with this label, and that it is as asked for; gives it. */
  async waitForRow(label: string, isAsAsked: (row: TreeRow) => boolean = () => true): Promise<TreeRow> {
    let seen: readonly TreeRow[] = [];
    const found = waitUntil(`the row "${label}"`, async () => {
      seen = await this.rows();
      const row = seen.find((candidate) => candidate.label === label);
      return row && isAsAsked(row) ? row : undefined;
    });
    return await found.catch((error: Error) => {
      throw new Error(`${error.message}; the view shows ${JSON.stringify(seen)}`, { cause: error });
    });
  }

  /** Waits until the rows in sight are as asked for. */
  async waitForRows(areAsAsked: (rows: readonly TreeRow[]) => boolean): Promise<void> {
    await waitUntil('the rows', async () => areAsAsked(await this.rows()) || undefined);
  }

  /** The place below the rows, where things can be dropped. */
  get ground(): Locator {
    return this.pane.locator('.pane-body');
  }

  /** Clicks the row. */
  async select(label: string): Promise<void> {
    await leaveTooltips(this.page);
    await this.row(label).click();
  }

  /** Opens the row, so that those below it show. */
  async expand(label: string): Promise<void> {
    const opened = this.row(label).and(this.page.locator('[aria-expanded="true"]'));
    await waitUntil(`the row "${label}" to open`, async () => {
      if (await opened.isVisible()) return true;
      await leaveTooltips(this.page);
      // A click more would close it again.
      await this.row(label).click();
      return (await appears(opened, 5000)) || undefined;
    });
  }

  /** Right-clicks the row; of several, all are selected first. */
  async openMenu(...labels: [string, ...string[]]): Promise<ContextMenu> {
    await leaveTooltips(this.page);
    const [first, ...others] = labels;
    if (others.length > 0) await this.row(first).click();
    for (const label of others) await this.row(label).click({ modifiers: ['ControlOrMeta'] });
    return await ContextMenu.at(this.row(labels.at(-1) ?? first));
  }

  /** Right-clicks the row and chooses, e.g. `chooseFor('Copy Task ID', 'notes.txt')`. */
  async chooseFor(menuItem: string, ...labels: [string, ...string[]]): Promise<void> {
    await (await this.openMenu(...labels)).choose(menuItem);
  }

  /** Clicks one of the icons that show on a row under the mouse. */
  async clickInline(action: string, label: string): Promise<void> {
    const icon = this.row(label).locator(`.action-label[aria-label="${action}"]`);
    await waitUntil(`"${action}" on the row "${label}"`, async () => {
      await leaveTooltips(this.page);
      await this.row(label).hover();
      // A row that is drawn anew under the mouse shows no icons until the mouse comes again.
      return ((await appears(icon, 2000)) && (await succeeds(icon.click({ timeout: clickMs })))) || undefined;
    });
  }

  /** Clicks one of the icons in the view's own header. */
  async clickTitleAction(action: string): Promise<void> {
    // A command that has a key says so after its title.
    const icon = this.header.locator(`.action-label:is([aria-label="${action}"], [aria-label^="${action} ("])`);
    await waitUntil(`"${action}" in the header`, async () => {
      await leaveTooltips(this.page);
      await this.header.hover();
      return ((await appears(icon, 2000)) && (await succeeds(icon.click({ timeout: clickMs })))) || undefined;
    });
  }

  /** What shows when the mouse rests on the row, as text. */
  async tooltip(label: string): Promise<string> {
    return await this.whileTooltip(label, async (hover) => {
      const text = await hover.innerText({ timeout: 1000 });
      // All that VS Code shows where the row was drawn anew while it asked for the tooltip.
      return text.trim() === label ? undefined : text;
    });
  }

  /** The texts of the links in what shows when the mouse rests on the row. */
  async linksInTooltip(label: string): Promise<string[]> {
    return await this.whileTooltip(label, (hover) =>
      hover.evaluate((all) => [...all.querySelectorAll('a')].map((link) => link.textContent ?? ''), undefined, {
        timeout: 1000,
      }),
    );
  }

  /** Waits until the view says this above its rows. */
  async waitForMessage(says: string): Promise<void> {
    await this.pane.locator('.message', { hasText: says }).waitFor();
  }

  /** Waits until the view, which has no rows, says this. */
  async waitForWelcome(says: RegExp): Promise<void> {
    await this.pane.locator('.welcome-view', { hasText: says }).waitFor();
  }

  /** Clicks a button or a link of the welcome. */
  async clickWelcome(name: string): Promise<void> {
    await leaveTooltips(this.page);
    const welcome = this.pane.locator('.welcome-view');
    const withRole = (role: 'button' | 'link') => welcome.getByRole(role, { name, exact: true });
    await withRole('button').or(withRole('link')).click();
  }

  /** Rests the mouse on the row until what is done with its tooltip succeeds. */
  private async whileTooltip<T>(label: string, use: (hover: Locator) => Promise<T | undefined>): Promise<T> {
    // A tooltip that the extension makes when asked begins as "Loading...", and another thing's may come late.
    const own = tooltips(this.page).filter({ hasText: label }).first();
    // A row that is drawn anew under the mouse shows nothing until the mouse comes again.
    return await waitUntil(`the tooltip of "${label}"`, async () => {
      await leaveTooltips(this.page);
      await this.row(label).locator('.label-name').hover();
      return (await appears(own, 3000)) ? await use(own).catch(() => undefined) : undefined;
    });
  }

  /** The row, for what only a mouse can do with it. */
  row(label: string): Locator {
    const exact = this.page.locator('.label-name').getByText(label, { exact: true });
    return this.pane.locator('.monaco-list-row[role="treeitem"]').filter({ has: exact }).first();
  }
}
