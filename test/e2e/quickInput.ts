import type { Locator, Page } from 'playwright-core';
import { appears, clickMs, succeeds, waitUntil } from './waitUntil';

/** After this time without an effect, the dialog for files has ignored an Enter. */
const ignoredMs = 2000;

/** A row of a Quick Pick, as it is read. */
export interface QuickPickRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** The box at the top of the window: the command palette, input boxes and Quick Picks. */
export class QuickInput {
  private readonly page: Page;
  private readonly widget: Locator;
  private readonly input: Locator;

  constructor(page: Page) {
    this.page = page;
    this.widget = page.locator('.quick-input-widget:visible');
    this.input = this.widget.locator('.quick-input-box input');
  }

  /** Opens the command palette and chooses the command with this title. */
  async runCommand(title: string): Promise<void> {
    const palette = this.widget.locator('input[placeholder^="Type the name of a command"]');
    await waitUntil(`the command "${title}"`, async () => {
      await this.page.keyboard.press('F1');
      // It closes where an editor that is just opening takes the focus.
      const isTyped = (await appears(palette, 5000)) && (await succeeds(palette.fill(`>${title}`, { timeout: 5000 })));
      // It lists what there was when it opened; an extension's commands come a little after the window.
      const isListed = isTyped && (await appears(this.row(title), 3000));
      const isPicked = isListed && (await succeeds(this.row(title).click({ timeout: clickMs })));
      if (!isPicked) await this.cancel();
      return isPicked || undefined;
    });
    await palette.waitFor({ state: 'hidden' });
  }

  /** The titles of the commands of a category that the palette lists. */
  async commandsOf(category: string): Promise<string[]> {
    await this.page.keyboard.press('F1');
    const palette = this.widget.locator('input[placeholder^="Type the name of a command"]');
    const titles = new Set<string>();
    if (await appears(palette, 5000)) {
      await palette.fill(`>${category}: `);
      await appears(
        this.widget
          .locator('.monaco-list-row')
          .filter({ hasText: `${category}: ` })
          .first(),
        3000,
      );
      // The first page down only moves the focus to the end of what is in sight.
      for (let idle = 0; idle < 3; ) {
        const before = titles.size;
        for (const { label } of await this.rows())
          if (label.startsWith(`${category}: `)) titles.add(label.slice(category.length + 2));
        idle = titles.size > before ? 0 : idle + 1;
        await this.page.keyboard.press('PageDown');
      }
    }
    await this.cancel();
    await this.closed();
    return [...titles];
  }

  /** Waits for the box whose title, prompt, placeholder or message says this, and gives all it says. */
  async waitFor(says: string | RegExp): Promise<string> {
    return await waitUntil(`a quick input that says ${says}`, async () => {
      const text = await this.text();
      return text !== null && (typeof says === 'string' ? text.includes(says) : says.test(text)) ? text : undefined;
    });
  }

  /** What the box says now: title, placeholder, prompt or validation message, a line each; null where none is open. */
  async text(): Promise<string | null> {
    if ((await this.widget.count()) === 0) return null;
    const said = this.widget.locator('.quick-input-title, .quick-input-description, .quick-input-message');
    const placeholders = await this.input.evaluateAll((all) => all.map((one) => one.getAttribute('placeholder') ?? ''));
    const parts = [...placeholders, ...(await said.locator('visible=true').allInnerTexts())];
    return parts
      .map((part) => part.trim())
      .filter(Boolean)
      .join('\n');
  }

  /** Notes each title that it shows from now on; gives those so far. */
  async noteTitles(): Promise<() => Promise<readonly string[]>> {
    await this.widget.locator('.quick-input-title').waitFor();
    const noted = await this.page.evaluateHandle<string[]>(`(() => {
      const title = document.querySelector('.quick-input-widget .quick-input-title');
      const titles = [title.textContent];
      const note = () => title.textContent !== titles.at(-1) && titles.push(title.textContent);
      new MutationObserver(note).observe(title, { childList: true, characterData: true, subtree: true });
      return titles;
    })()`);
    return () => noted.jsonValue();
  }

  /** Replaces what is typed in the box. */
  async type(text: string): Promise<void> {
    await this.input.fill(text);
  }

  /** What is typed in it. */
  async value(): Promise<string> {
    return await this.input.inputValue();
  }

  /** Waits until this is what is typed in it, which may come after its words. */
  async waitForValue(wanted: string): Promise<void> {
    await waitUntil(`"${wanted}" in the box`, async () => (await this.value()) === wanted || undefined);
  }

  /** Whether what is typed shows as dots. */
  async isSecret(): Promise<boolean> {
    return (await this.input.getAttribute('type')) === 'password';
  }

  async accept(): Promise<void> {
    await this.input.press('Enter');
  }

  /** Goes back to the step before. */
  async goBack(): Promise<void> {
    await this.widget.getByRole('button', { name: 'Back' }).click();
  }

  async cancel(): Promise<void> {
    await this.page.keyboard.press('Escape');
  }

  /** Waits until none is open. */
  async closed(): Promise<void> {
    await this.widget.waitFor({ state: 'hidden' });
  }

  /** Waits for the input box that says this, types into it and accepts. */
  async answer(says: string | RegExp, text: string): Promise<void> {
    await this.waitFor(says);
    await this.type(text);
    await this.accept();
  }

  /**
   * Chooses a file or folder in the dialog with this title, once that shows a folder: it would write that over what is
   * typed. It goes into a folder before it takes it, and ignores Enter while it reads one.
   */
  async pickPath(title: string, path: string): Promise<void> {
    await this.waitFor(title);
    await waitUntil('the dialog to show a folder', async () => (await this.value()).endsWith('/') || undefined);
    await this.rows();
    await this.type(path);
    let accepted: string | undefined;
    let untilMs = 0;
    await waitUntil('the dialog to take what was typed', async () => {
      // What comes next may be in its place already.
      if ((await this.text())?.includes(title) !== true) return true;
      const [typed] = await this.input.evaluateAll((all) => all.map((one) => ('value' in one ? one.value : '')));
      if ((typed !== path && typed !== `${path}/`) || (typed === accepted && Date.now() < untilMs)) return undefined;
      [accepted, untilMs] = [typed, Date.now() + ignoredMs];
      await this.accept();
      return undefined;
    });
  }

  /** The rows to choose from that are in sight. */
  async rows(): Promise<QuickPickRow[]> {
    await this.widget.locator('.monaco-list-row').first().waitFor();
    return await this.widget.locator('.monaco-list-row').evaluateAll((rows) =>
      rows.map((row) => ({
        label: row.querySelector('.label-name')?.textContent?.trim() ?? '',
        description: row.querySelector('.label-description')?.textContent?.trim() ?? '',
        detail: row.querySelector('.quick-input-list-label-meta')?.textContent?.trim() ?? '',
      })),
    );
  }

  /** Chooses the row with this label. */
  async pick(label: string): Promise<void> {
    await this.row(label).click();
  }

  /** Waits until Enter would choose the row with this label. */
  async waitForActive(label: string): Promise<void> {
    const active = this.widget.locator('.monaco-list-row.focused .label-name');
    await active.getByText(label, { exact: true }).waitFor();
  }

  /** Presses a button of the row with this label. */
  async press(label: string, button: string): Promise<void> {
    await this.row(label).hover();
    await this.row(label).getByRole('button', { name: button }).click();
  }

  /** Waits for the row with this label to say this besides. */
  async waitForRow(label: string, description: string): Promise<void> {
    await waitUntil(`the row "${label}" to say ${description}`, async () => {
      const row = (await this.rows()).find((each) => each.label === label);
      return row?.description === description || undefined;
    });
  }

  /** Waits until no row in sight has this label. */
  async waitForNoRow(label: string): Promise<void> {
    await this.row(label).waitFor({ state: 'detached' });
  }

  /** Ticks or unticks the row, where several can be chosen; `accept()` then takes them. */
  async tick(label: string): Promise<void> {
    await this.row(label).locator('.monaco-checkbox, input[type="checkbox"]').first().click();
  }

  private row(label: string): Locator {
    const exact = this.page.locator('.label-name').getByText(label, { exact: true });
    return this.widget.locator('.monaco-list-row').filter({ has: exact }).first();
  }
}
