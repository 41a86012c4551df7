import type { Locator, Page } from 'playwright-core';
import { ContextMenu } from './contextMenu';
import { hideTooltips, tooltips } from './tooltips';
import { appears, clickMs, succeeds, waitUntil } from './waitUntil';

export interface TreeRow {
  readonly label: string;
  readonly description: string;
  /** The accessible name. */
  readonly ariaLabel: string;
  /** The rest of the accessible name after the label. A task's state comes first. */
  readonly spoken: string;
  /** The codicon name without `codicon-`; empty if there is no icon. */
  readonly icon: string;
}

/** Whether a row's state begins with this text. */
export const hasState =
  (state: string) =>
  ({ spoken }: TreeRow): boolean =>
    spoken.startsWith(state);

export class TreeView {
  private readonly page: Page;
  private readonly pane: Locator;
  private readonly header: Locator;

  constructor(page: Page, title: string) {
    this.page = page;
    this.pane = page.locator('.pane').filter({ has: page.locator(`.pane-header[aria-label^="${title}"]`) });
    this.header = this.pane.locator('.pane-header');
  }

  /** Whether the view's container is open. */
  async isShown(): Promise<boolean> {
    return await this.header.isVisible();
  }

  /** The visible rows, from top to bottom. */
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
          };
        }),
    );
  }

  /** Waits until the first row with this label matches, and returns it. */
  async waitForRow(label: string, matches: (row: TreeRow) => boolean = () => true): Promise<TreeRow> {
    let seen: readonly TreeRow[] = [];
    const found = waitUntil(`the row "${label}"`, async () => {
      seen = await this.rows();
      const row = seen.find((candidate) => candidate.label === label);
      return row && matches(row) ? row : undefined;
    });
    return await found.catch((error: Error) => {
      throw new Error(`${error.message}; the view shows ${JSON.stringify(seen)}`, { cause: error });
    });
  }

  /** Waits until the visible rows match. */
  async waitForRows(match: (rows: readonly TreeRow[]) => boolean): Promise<void> {
    await waitUntil('the rows', async () => match(await this.rows()) || undefined);
  }

  /** Clicks a row. */
  async select(label: string): Promise<void> {
    await hideTooltips(this.page);
    await this.row(label).click();
  }

  async expand(label: string): Promise<void> {
    const opened = this.row(label).and(this.page.locator('[aria-expanded="true"]'));
    await waitUntil(`the row "${label}" to open`, async () => {
      // A click on an expanded row would collapse it.
      if (await opened.isVisible()) return true;
      await hideTooltips(this.page);
      await this.row(label).click();
      return (await appears(opened, 5000)) || undefined;
    });
  }

  /** Opens the context menu for one or more rows. Multiple rows are selected first. */
  async openMenu(...labels: [string, ...string[]]): Promise<ContextMenu> {
    await hideTooltips(this.page);
    const [first, ...others] = labels;
    if (others.length > 0) await this.row(first).click();
    for (const label of others) await this.row(label).click({ modifiers: ['ControlOrMeta'] });
    return await ContextMenu.of(this.row(labels.at(-1) ?? first));
  }

  /** Chooses a command from the context menu: `chooseFor('Copy Task ID', 'notes.txt')`. */
  async chooseFor(menuItem: string, ...labels: [string, ...string[]]): Promise<void> {
    await (await this.openMenu(...labels)).choose(menuItem);
  }

  /** Clicks a button in the view's title bar. */
  async clickTitleAction(action: string): Promise<void> {
    // A keyboard shortcut may follow the title.
    const icon = this.header.locator(`.action-label:is([aria-label="${action}"], [aria-label^="${action} ("])`);
    await waitUntil(`"${action}" in the header`, async () => {
      await hideTooltips(this.page);
      await this.header.hover();
      return ((await appears(icon, 2000)) && (await succeeds(icon.click({ timeout: clickMs })))) || undefined;
    });
  }

  /** A row's tooltip text. */
  async tooltip(label: string): Promise<string> {
    return await this.whileTooltip(label, async (hover) => {
      const text = await hover.innerText({ timeout: 1000 });
      // VS Code shows only the label if it redraws the row while it is requesting the tooltip.
      return text.trim() === label ? undefined : text;
    });
  }

  /** The text of each link in a row's tooltip. */
  async linksInTooltip(label: string): Promise<string[]> {
    return await this.whileTooltip(label, (hover) =>
      hover.evaluate((all) => [...all.querySelectorAll('a')].map((link) => link.textContent ?? ''), undefined, {
        timeout: 1000,
      }),
    );
  }

  /** Waits for a welcome view with this text. */
  async waitForWelcome(text: RegExp): Promise<void> {
    await this.pane.locator('.welcome-view', { hasText: text }).waitFor();
  }

  /** Clicks a button or link in the welcome view. */
  async clickWelcome(name: string): Promise<void> {
    await hideTooltips(this.page);
    const welcome = this.pane.locator('.welcome-view');
    const withRole = (role: 'button' | 'link') => welcome.getByRole(role, { name, exact: true });
    await withRole('button').or(withRole('link')).click();
  }

  /** Hovers over a row until `use` succeeds with the row's tooltip. */
  private async whileTooltip<T>(label: string, use: (hover: Locator) => Promise<T | undefined>): Promise<T> {
    // The tooltip may still say "Loading..." or belong to another element.
    const own = tooltips(this.page).filter({ hasText: label }).first();
    // If a row is redrawn under the mouse, it doesn't show a tooltip until the mouse enters it again.
    return await waitUntil(`the tooltip of "${label}"`, async () => {
      await hideTooltips(this.page);
      await this.row(label).locator('.label-name').hover();
      return (await appears(own, 3000)) ? await use(own).catch(() => undefined) : undefined;
    });
  }

  row(label: string): Locator {
    const exact = this.page.locator('.label-name').getByText(label, { exact: true });
    return this.pane.locator('.monaco-list-row[role="treeitem"]').filter({ has: exact }).first();
  }
}
