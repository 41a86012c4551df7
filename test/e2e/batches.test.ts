import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { fileOf, type ReceivedRequest, refused, ScriptedService, value } from './scriptedService';
import { SlowConnection } from './slowConnection';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('Many files at once', () => {
  const count = 60;
  const service = ScriptedService.duringTests();
  const names = Array.from({ length: count }, (_, index) => `page-${String(index).padStart(2, '0')}.txt`);
  const pagesIn = (folder: string) =>
    Object.fromEntries(names.map((name) => [`${folder}/${name}`, `the text of ${name} in ${folder}\n`]));
  let connection: SlowConnection | undefined;
  const open = useWorkbench(
    () => ({
      files: {
        ...pagesIn('docs'),
        ...pagesIn('ticked'),
        ...pagesIn('canceled'),
        ...pagesIn('closed'),
        ...pagesIn('closing'),
        'docs/.gitignore': 'drafts/\n',
        'docs/drafts/draft.txt': 'not yet\n',
        'accepted.txt': 'what was accepted lets others go at once\n',
        'docs/picture.png': Buffer.from('89504e470d0a1a0a', 'hex'),
      },
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
      },
    }),
    async (opened) => {
      await giveKey(opened, 'Manuals', 'batches-key-0123456789');
      await opened.workbench.explorer.chooseFor('Import to Dataset…', 'accepted.txt');
      await opened.workbench.view('Tasks').waitForRow('accepted.txt', ({ spoken }) => spoken.startsWith('succeeded'));
    },
  );
  afterEach(async () => {
    service.fileTask = () => value(`{"taskId":"task-${service.imports.length}"}`);
    service.stallsUploads = false;
    service.importTakesMs = 0;
    connection?.delay(0);
    await open().workbench.notifications.clear();
  });

  /** The names of the files that came since, in alphabetical order. */
  async function namesSince(since: number): Promise<(string | undefined)[]> {
    const files = await Promise.all(service.imports.slice(since).map(fileOf));
    return files.map(({ fileName }) => fileName).sort();
  }

  /** Looks at the files and at what is left out in the question. */
  async function looksAtFiles(): Promise<void> {
    const { quickInput } = open().workbench;
    await quickInput.press('.png is not a listed file extension', 'Show Files');
    await quickInput.waitForRow('docs/picture.png', '');
    await quickInput.press('New', 'Show Files');
    await quickInput.waitForRow('docs/page-00.txt', '32 bytes');
    await quickInput.tick('docs/page-00.txt');
    await quickInput.waitFor(`Import ${count - 1} of ${count} files`);
  }

  const nameIn = ({ body }: ReceivedRequest) => /filename="([^"]+)"/.exec(body.toString())?.[1] ?? '';

  it('in a folder are counted before the first one is sent, go on past single failures and stand in one row', async () => {
    const { workbench } = open();
    const { quickInput, notifications } = workbench;
    const bad = new Set(names.filter((_, index) => index % 20 === 7));
    service.fileTask = (request) =>
      bad.has(nameIn(request)) ? refused('4711', 'not this one') : value(`{"taskId":"task-${service.imports.length}"}`);
    const since = service.imports.length;
    for (const isImported of [false, true]) {
      await workbench.explorer.chooseFor('Import to Dataset…', 'docs');
      assert.match(await quickInput.waitFor(`Import ${count} files`), /\(\d\.\d KB\) to Manuals/);
      assert.deepEqual(
        (await quickInput.rows()).map(({ label, description }) => [label, description]),
        [
          ['New', `${count} files, 1.9 KB`],
          ['It has no file extension', '1'],
          ['Ignored by .gitignore', '1'],
          ['.png is not a listed file extension', '1'],
        ],
      );
      if (isImported) await quickInput.accept();
      else {
        await looksAtFiles();
        await quickInput.cancel();
      }
    }
    const told = await notifications.waitFor(
      `Uploaded ${count - 3} of ${count} files to Manuals. 3 files were rejected. 2 files were skipped.`,
    );
    // Nothing was sent of what was canceled.
    assert.deepEqual(await namesSince(since), names);
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('docs', ({ description }) => description.startsWith('3 rejected · '));
    assert.ok(!(await tasks.rows()).some(({ label }) => names.includes(label)));
    // The view is open, and what needs a person is not dealt with by being seen.
    await workbench.saysInBadge('3 tasks need your attention');
    service.fileTask = () => value(`{"taskId":"retried-${service.imports.length}"}`);
    await told.click('Retry Failed');
    await workbench.saysInStatusBar('Uploaded 3 files to Manuals.');
    assert.deepEqual(await namesSince(since + count), [...bad].sort());
    await tasks.waitForRow('docs', ({ description }) => /^60 succeeded · /.test(description));
    await workbench.saysInBadge(undefined);

    // What was imported before is asked about once.
    await workbench.explorer.chooseFor('Import to Dataset…', 'docs');
    await quickInput.waitFor(`Import 0 of ${count} files`);
    await quickInput.press('Unchanged', 'Show Files');
    const row = await waitUntil('its rows', async () =>
      (await quickInput.rows()).find(({ label }) => label === 'docs/page-00.txt'),
    );
    assert.match(row.description, / · succeeded · (?:just now|\d+ min ago)/);
    // Nothing is ticked, so that Enter does nothing.
    await quickInput.accept();
    await quickInput.waitFor(`Import 0 of ${count} files`);
    await quickInput.cancel();
  });

  it('are told in the status bar while they are sent, and end at once where they are cancelled', async () => {
    const { workbench } = open();
    service.stallsUploads = true;
    await workbench.explorer.chooseFor('Import to Dataset…', 'canceled');
    await workbench.quickInput.waitFor(`Import ${count} files`);
    await workbench.quickInput.accept();
    await waitUntil(
      'the status bar',
      async () =>
        (await workbench.statusBar()).some((text) =>
          /Importing 1 of 60 · .* of \d\.\d KB|Importing 1 of 60: waiting/.test(text),
        ) || undefined,
    );
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('canceled', ({ description }) => description.startsWith('importing 1 of 60 · '));
    const spoken = workbench.page.locator('.statusbar-item a[aria-label^="Dataset Import: Importing 1 of 60"]');
    await waitUntil('words for a screen reader', async () => (await spoken.count()) === 1 || undefined);
    await waitUntil('the first ones to have begun', async () => service.stalledUploads === 8 || undefined);
    await workbench.page.locator('.statusbar-item a[aria-label="Dataset Import: Cancel All Imports"]').click();
    const told = await workbench.notifications.waitFor('The import was canceled.');
    assert.match(
      await told.text(),
      /Uploaded 0 of 60 files to Manuals\. 8 files are unconfirmed\. 52 files were not uploaded\./,
    );
    await waitUntil(
      'the status bar to be as before',
      async () => !(await workbench.statusBar()).some((text) => text.includes('Importing')) || undefined,
    );
  });

  it('go on by themselves after the window was closed in their midst', async () => {
    const { workbench } = open();
    const since = service.imports.length;
    let answered = 0;
    service.fileTask = () => (++answered > 10 ? undefined : value(`{"taskId":"before-${answered}"}`));
    await workbench.explorer.chooseFor('Import to Dataset…', 'closed');
    await workbench.quickInput.waitFor(`Import ${count} files`);
    await workbench.quickInput.accept();
    await waitUntil('some to be sent', async () => service.imports.length >= since + 18 || undefined);
    service.fileTask = () => value(`{"taskId":"after-${service.imports.length}"}`);
    await workbench.reload();
    await workbench.notifications.waitFor('Resumed imports from a closed window.');
    await waitUntil('the rest to be sent', async () => service.imports.length >= since + count || undefined);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('closed', ({ description }) => !/queued|importing| of /.test(description));
    assert.deepEqual(await namesSince(since), names, 'a file was sent twice, or not at all');
  });

  it('keep the task IDs of the responses that come while the window is closing', async () => {
    const { workbench } = open();
    const since = service.imports.length;
    service.importTakesMs = 500;
    await workbench.explorer.chooseFor('Import to Dataset…', 'closing');
    await workbench.quickInput.waitFor(`Import ${count} files`);
    await workbench.quickInput.accept();
    await waitUntil('some to be sent', async () => service.imports.length >= since + 18 || undefined);
    await workbench.reload();
    service.importTakesMs = 0;
    await workbench.openContainer('Dataset Import');
    await workbench
      .view('Tasks')
      .waitForRow('closing', ({ description }) => description.startsWith(`${count} succeeded`));
    assert.deepEqual(await namesSince(since), names, 'a file was sent twice, or not at all');
  });

  it('stay as they were ticked, however far away the editor is', async () => {
    const { workbench, page } = open();
    const { explorer, quickInput } = workbench;
    connection = await SlowConnection.of(page);
    await workbench.reload();
    await explorer.chooseFor('Import to Dataset…', 'ticked');
    await quickInput.waitFor(`Import ${count} files`);
    const titles = await quickInput.noteTitles();
    connection.delay(500);
    await quickInput.press('New', 'Show Files');
    await quickInput.waitForRow('ticked/page-00.txt', '34 bytes');
    // With the first file the tick of its group goes, which comes too late for the second: Enter must not send that.
    await connection.holdWhile(async () => {
      for (const name of ['page-00.txt', 'page-01.txt']) await quickInput.tick(`ticked/${name}`);
      await quickInput.accept();
    });
    await quickInput.waitFor(`Import ${count - 1} of ${count} files`);
    await quickInput.tick('ticked/page-01.txt');
    await quickInput.waitFor(`Import ${count - 2} of ${count} files`);
    // What would come of the ticks comes before this.
    await quickInput.press('New', 'Hide Files');
    await quickInput.waitForNoRow('ticked/page-00.txt');
    assert.deepEqual(
      (await titles()).map((title) => /\d+/.exec(title)?.[0]),
      ['60', '59', '58'],
    );
    await quickInput.cancel();
  });
});
