import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The open batch page. */
export class BatchPage {
  readonly frame: FrameLocator;

  constructor(page: Page) {
    this.frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  button(title: string): Locator {
    return this.frame.getByRole('button', { name: title, exact: true });
  }

  part(id: 'page' | 'actions'): Locator {
    return this.frame.locator(`#${id}`);
  }
}
