import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { importFile } from './importFile';
import { namesOf, type ReceivedRequest, rejected, ScriptedService, value } from './scriptedService';
import { setAccessKey } from './setAccessKey';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('A folder import', () => {
  const count = 30;
  const service = ScriptedService.duringTests();
  const names = Array.from({ length: count }, (_, index) => `page-${String(index).padStart(2, '0')}.txt`);
  const pagesIn = (folder: string) =>
    Object.fromEntries(names.map((name) => [`${folder}/${name}`, `the text of ${name} in ${folder}\n`]));
  let connection: SlowConnection | undefined;
  const open = useWorkbench(
    () => ({
      files: {
        ...pagesIn('docs'),
        ...pagesIn('selected'),
        ...pagesIn('canceled'),
        'docs/.gitignore': 'drafts/\n',
        'docs/drafts/draft.txt': 'not yet\n',
        'accepted.txt': 'files are sent one at a time until one is accepted\n',
        'docs/picture.png': Buffer.from('89504e470d0a1a0a', 'hex'),
      },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    async (opened) => {
      await setAccessKey(opened, 'Manuals', 'batches-key-0123456789');
      await importFile(opened.workbench, 'accepted.txt');
    },
  );
  const accepted = () => value(`{"taskId":"task-${service.imports.length}"}`);
  beforeEach(() => {
    service.fileTask = accepted;
  });
  afterEach(async () => {
    connection?.delay(0);
    await open().workbench.notifications.clear();
  });

  const nameIn = ({ body }: ReceivedRequest) => /filename="([^"]+)"/.exec(body.toString())?.[1] ?? '';

  it('lists the files first, continues after rejections, and lets the user resend rejected files', async () => {
    const { workbench } = open();
    const { quickInput, notifications } = workbench;
    const tasks = workbench.view('Tasks');
    const bad = [names[7], names[27]];
    service.fileTask = (request) => (bad.includes(nameIn(request)) ? rejected('4711', 'not this one') : accepted());
    const since = service.imports.length;
    await workbench.explorer.chooseFor('Import to Dataset…', 'docs');
    await quickInput.waitFor(`Import to Manuals: ${count} of ${count} (960 bytes)`);
    await quickInput.waitFor('Not imported: 3');
    const groups = (await quickInput.rows()).map(({ label, description }) => [label, description]);
    assert.deepEqual(groups, [['New', `${count} · 960 bytes`]]);
    await quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('docs', ({ description }) => description.startsWith('rejected: 2 · succeeded: 28'));
    assert.deepEqual(await namesOf(service.imports.slice(since)), names);
    // Opening the view doesn't clear the badge.
    await workbench.waitForBadge('Needing your attention: 2');
    service.fileTask = accepted;
    const message = await notifications.waitFor(`Uploaded 28 of ${count} to Manuals · rejected: 2`);
    await message.click('Retry Failed');
    await tasks.waitForRow('docs', ({ description }) => description.startsWith(`succeeded: ${count}`));
    assert.deepEqual(await namesOf(service.imports.slice(since + count)), bad);
    await workbench.waitForBadge(undefined);

    // When the folder is imported again, nothing is selected, and Enter does nothing.
    await workbench.explorer.chooseFor('Import to Dataset…', 'docs');
    await quickInput.waitFor(`Import to Manuals: 0 of ${count}`);
    await quickInput.accept();
    await quickInput.waitFor(`Import to Manuals: 0 of ${count}`);
    await quickInput.cancel();
  });

  it('shows progress in the status bar until it is canceled', async () => {
    const { workbench } = open();
    const since = service.imports.length;
    service.fileTask = () => undefined;
    await workbench.explorer.chooseFor('Import to Dataset…', 'canceled');
    await workbench.quickInput.waitFor(`Import to Manuals: ${count} of ${count}`);
    await workbench.quickInput.accept();
    await workbench.page.locator(`.statusbar-item a[aria-label^="Dataset Import: Uploading: 0 of ${count}"]`).waitFor();
    await waitUntil('eight uploads to begin', async () => service.imports.length === since + 8 || undefined);
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.clickTitleAction('Cancel Import');
    await tasks.waitForRow('canceled', ({ description }) =>
      description.startsWith(`unconfirmed: 8 · not uploaded: ${count - 8}`),
    );
    const progress = workbench.page.locator('.statusbar-item a[aria-label*="Uploading"]');
    await waitUntil('the progress to disappear', async () => (await progress.count()) === 0 || undefined);
  });

  it('uploads only the files shown as selected, even if the extension host responds slowly', async () => {
    const { workbench, page } = open();
    const { explorer, quickInput } = workbench;
    connection = await SlowConnection.of(page);
    await workbench.reload();
    await explorer.chooseFor('Import to Dataset…', 'selected');
    await quickInput.waitFor(`Import to Manuals: ${count} of ${count}`);
    const titles = await quickInput.recordTitles();
    connection.delay(500);
    await quickInput.press('New', 'Show Files');
    await quickInput.waitForRow('selected/page-00.txt', '36 bytes');
    // Deselect two files and press Enter before the editor responds to the first click. Enter must not upload either
    // file.
    await connection.holdWhile(async () => {
      for (const name of ['page-00.txt', 'page-01.txt']) await quickInput.toggle(`selected/${name}`);
      await quickInput.accept();
    });
    await quickInput.waitFor(`Import to Manuals: ${count - 1} of ${count}`);
    await quickInput.toggle('selected/page-01.txt');
    await quickInput.waitFor(`Import to Manuals: ${count - 2} of ${count}`);
    // Clicks take effect in order, so the earlier clicks take effect before this one.
    await quickInput.press('New', 'Hide Files');
    await quickInput.waitForNoRow('selected/page-00.txt');
    const counts = (await titles()).map((title) => Number(/\d+/.exec(title)?.[0]));
    assert.deepEqual(counts, [count, count - 1, count - 2]);
    await quickInput.cancel();
  });

  it('lets the user search collapsed groups, and clears the search before importing anything', async () => {
    const { explorer, quickInput } = open().workbench;
    await explorer.chooseFor('Import to Dataset…', 'selected');
    await quickInput.waitFor(`Import to Manuals: ${count} of ${count}`);
    await quickInput.type('page-03');
    await quickInput.waitForRow('selected/page-03.txt', '36 bytes');
    await quickInput.toggle('selected/page-03.txt');
    await quickInput.waitFor(`Import to Manuals: ${count - 1} of ${count}`);
    await quickInput.accept();
    await quickInput.waitForValue('');
    await quickInput.waitForNoRow('selected/page-03.txt');
    await quickInput.waitFor(`Import to Manuals: ${count - 1} of ${count}`);
    await quickInput.cancel();
  });
});

/** The connection between a page and its editor. A test can slow it down to simulate a remote editor. */
class SlowConnection {
  #delayMs = 0;
  #held = Promise.resolve();

  /** Starts intercepting the connections that the page opens. */
  static async of(page: Page): Promise<SlowConnection> {
    const connection = new SlowConnection();
    await page.routeWebSocket(/.*/, (socket) => {
      const server = socket.connectToServer();
      let last = Promise.resolve();
      socket.onMessage((message) => {
        const ready = Promise.all([setTimeout(connection.#delayMs), connection.#held, last]);
        last = ready.then(() => server.send(message));
      });
    });
    return connection;
  }

  /** Delays messages from the page to the editor. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** Holds back messages from the page until `action` has finished, and then sends all of them. */
  async holdWhile(action: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    await action().finally(resolve);
  }
}
