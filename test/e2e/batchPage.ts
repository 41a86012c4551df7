import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The page about a batch in its tab, as a person sees it. */
export class BatchPage {
  readonly frame: FrameLocator;

  constructor(page: Page) {
    this.frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /** A button by its title. */
  button(title: string): Locator {
    return this.frame.getByRole('button', { name: title, exact: true });
  }

  /** A part of the page. */
  part(id: 'page' | 'actions'): Locator {
    return this.frame.locator(`#${id}`);
  }
}
