import type { Locator, Page } from 'playwright-core';
import { appears, clickMs, succeeds, waitUntil } from './waitUntil';

/** If Enter has no effect within this time, assume that the file dialog has ignored it. */
const ignoredMs = 2000;

export interface QuickPickRow {
  readonly label: string;
  readonly description: string;
}

/** The Command Palette, input boxes, Quick Picks and the simple file dialog. */
export class QuickInput {
  private readonly page: Page;
  private readonly widget: Locator;
  private readonly input: Locator;

  constructor(page: Page) {
    this.page = page;
    this.widget = page.locator('.quick-input-widget:visible');
    this.input = this.widget.locator('.quick-input-box input');
  }

  /** Runs a command from the Command Palette. */
  async runCommand(title: string): Promise<void> {
    const palette = this.widget.locator('input[placeholder^="Type the name of a command"]');
    await waitUntil(`the command "${title}"`, async () => {
      await this.page.keyboard.press('F1');
      // The palette closes if an editor opens and takes focus.
      const isTyped = (await appears(palette, 5000)) && (await succeeds(palette.fill(`>${title}`, { timeout: 5000 })));
      // The palette doesn't list commands that are registered after it has opened.
      const isListed = isTyped && (await appears(this.row(title), 3000));
      const isPicked = isListed && (await succeeds(this.row(title).click({ timeout: clickMs })));
      if (!isPicked) await this.cancel();
      return isPicked || undefined;
    });
    await palette.waitFor({ state: 'hidden' });
  }

  /** The titles of a category's commands in the Command Palette. */
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
      // The first PageDown only moves the focus to the last visible row.
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

  /** Waits for this text in the title, placeholder, prompt or validation message. Returns all of them, one per line. */
  async waitFor(expected: string | RegExp): Promise<string> {
    return await waitUntil(`a quick input with the text "${expected}"`, async () => {
      const text = await this.text();
      return text !== null && (typeof expected === 'string' ? text.includes(expected) : expected.test(text))
        ? text
        : undefined;
    });
  }

  /** The title, placeholder, prompt and validation message, one per line. Null if no box is open. */
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

  /** Starts recording all titles. The returned function returns the titles recorded so far. */
  async recordTitles(): Promise<() => Promise<readonly string[]>> {
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

  /** Replaces the text in the box. */
  async type(text: string): Promise<void> {
    await this.input.fill(text);
  }

  async value(): Promise<string> {
    return await this.input.inputValue();
  }

  /** Waits for this text in the box. The text may appear later than the prompt. */
  async waitForValue(wanted: string): Promise<void> {
    await waitUntil(`"${wanted}" in the box`, async () => (await this.value()) === wanted || undefined);
  }

  /** Whether the text is shown as dots. */
  async isSecret(): Promise<boolean> {
    return (await this.input.getAttribute('type')) === 'password';
  }

  async accept(): Promise<void> {
    await this.input.press('Enter');
  }

  async cancel(): Promise<void> {
    await this.page.keyboard.press('Escape');
  }

  /** Waits until no box is open. */
  async closed(): Promise<void> {
    await this.widget.waitFor({ state: 'hidden' });
  }

  /** Waits for an input box with this text, types into it and presses Enter. */
  async answer(prompt: string | RegExp, text: string): Promise<void> {
    await this.waitFor(prompt);
    await this.type(text);
    await this.accept();
  }

  /**
   * Chooses a file or folder in the file dialog. Waits until the dialog shows a folder before typing, because the
   * dialog would overwrite text typed earlier. The dialog opens a folder before accepting it, and ignores Enter while
   * it is reading a folder.
   */
  async pickPath(title: string, path: string): Promise<void> {
    await this.waitFor(title);
    await waitUntil('the dialog to show a folder', async () => (await this.value()).endsWith('/') || undefined);
    await this.rows();
    await this.type(path);
    let accepted: string | undefined;
    let untilMs = 0;
    await waitUntil('the dialog to accept the path', async () => {
      // The next box may have replaced the dialog.
      if ((await this.text())?.includes(title) !== true) return true;
      const [typed] = await this.input.evaluateAll((all) => all.map((one) => ('value' in one ? one.value : '')));
      if ((typed !== path && typed !== `${path}/`) || (typed === accepted && Date.now() < untilMs)) return undefined;
      [accepted, untilMs] = [typed, Date.now() + ignoredMs];
      await this.accept();
      return undefined;
    });
  }

  /** The visible rows. */
  async rows(): Promise<QuickPickRow[]> {
    await this.widget.locator('.monaco-list-row').first().waitFor();
    return await this.widget.locator('.monaco-list-row').evaluateAll((rows) =>
      rows.map((row) => ({
        label: row.querySelector('.label-name')?.textContent?.trim() ?? '',
        description: row.querySelector('.label-description')?.textContent?.trim() ?? '',
      })),
    );
  }

  async pick(label: string): Promise<void> {
    await this.row(label).click();
  }

  /** Clicks a button in a row. */
  async press(label: string, button: string): Promise<void> {
    await this.row(label).hover();
    await this.row(label).getByRole('button', { name: button }).click();
  }

  /** Waits until a row has this description. */
  async waitForRow(label: string, description: string): Promise<void> {
    await waitUntil(`the row "${label}" with the description ${description}`, async () => {
      const row = (await this.rows()).find((each) => each.label === label);
      return row?.description === description || undefined;
    });
  }

  /** Waits until no visible row has this label. */
  async waitForNoRow(label: string): Promise<void> {
    await this.row(label).waitFor({ state: 'detached' });
  }

  /** Toggles a row's checkbox. */
  async toggle(label: string): Promise<void> {
    await this.row(label).locator('.monaco-checkbox, input[type="checkbox"]').first().click();
  }

  private row(label: string): Locator {
    const exact = this.page.locator('.label-name').getByText(label, { exact: true });
    return this.widget.locator('.monaco-list-row').filter({ has: exact }).first();
  }
}
