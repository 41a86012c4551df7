import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { giveKey } from './giveKey';
import { fileOf, header, refused, ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('An import that does not go well', () => {
  const linkName = '[x](command:datasetImport.chooseStatusMeaning).txt';
  let service: ScriptedService;
  before(async () => {
    service = await ScriptedService.start();
  });
  after(() => service.close());
  const open = useWorkbench(
    () => ({
      files: {
        'answered.txt': 'one\n',
        'big.txt': Buffer.alloc(64 * 1024 * 1024, 'text\n'),
        'binary.txt': Buffer.from('PK\u0003\u0004\0\0\0text'),
        'empty.txt': '',
        'later.txt': 'two\n',
        'mapped.txt': 'three\n',
        [linkName]: 'linked\n',
        'refused.txt': 'four\n',
        'unauthorized.txt': 'five\n',
        'unclear.txt': 'six\n',
      },
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'datasetImport.duplicates': 'import',
      },
    }),
    (opened) => giveKey(opened, 'Manuals', 'first-key-0123456789'),
  );
  afterEach(() => open().workbench.notifications.clear());

  it('sends nothing of what is empty, no text or gone, and says why', async () => {
    const { workbench, workspaceFolder } = open();
    symlinkSync(join(workspaceFolder, 'nowhere.txt'), join(workspaceFolder, 'gone.txt'));
    await workbench.explorer.waitFor('gone.txt');
    const since = service.imports.length;
    for (const [name, says] of [
      ['empty.txt', "'empty.txt' is empty."],
      ['binary.txt', "'binary.txt' is not a text file."],
      ['gone.txt', "'gone.txt' was not found."],
    ] as const) {
      await workbench.explorer.chooseFor('Import to Dataset…', name);
      const told = await workbench.notifications.waitFor(`Nothing was imported. ${says}`);
      assert.equal(await told.severity(), 'error');
      await workbench.notifications.clear();
    }
    await assertNextImport(since);
  });

  it('asks whether to go on without the file that cannot be imported', async () => {
    const { workbench } = open();
    const since = service.imports.length;
    await workbench.explorer.chooseFor('Import to Dataset…', 'empty.txt', 'answered.txt');
    await workbench.quickInput.waitFor(/^Import 1 file \(/m);
    await workbench.quickInput.press('Cannot be imported', 'Show Files');
    await workbench.quickInput.waitForRow("'empty.txt' is empty.", '');
    await workbench.quickInput.accept();
    await waitUntil('the import', async () => service.imports.length > since || undefined);
    await workbench.saysInStatusBar("Uploaded 'answered.txt' to Manuals.");
  });

  it('waits where nothing listens, says so, and goes once there is somebody', async () => {
    const { workbench } = open();
    const { port, host } = service;
    await service.close();
    await workbench.explorer.chooseFor('Import to Dataset…', 'later.txt');
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('later.txt', ({ spoken }) => spoken.startsWith(`cannot reach ${host}, retrying`));
    await waitUntil(
      'the status bar',
      async () =>
        (await workbench.statusBar()).some((text) =>
          text.includes(`Importing 1 of 1: cannot reach ${host}, retrying in`),
        ) || undefined,
    );
    const told = await workbench.notifications.waitFor(
      `${host} refused the connection. Check that the service is running. The imports to Manuals are paused`,
    );
    assert.equal(await told.severity(), 'warning');
    service = await ScriptedService.startAgain(port);
    await told.click('Try Now');
    await workbench.saysInStatusBar("Uploaded 'later.txt' to Manuals.");
    await tasks.waitForRow('later.txt', ({ spoken }) => spoken.startsWith('succeeded'));
    assert.equal((await tasks.rows()).filter(({ label }) => label === 'later.txt').length, 1);
  });

  it("shows the service's code and message word for word, never as markup", async () => {
    const { workbench } = open();
    const message =
      '<b>No room</b> *left* `in` $(flame) [here](command:workbench.action.terminal.new) [or](https://a.example)';
    service.fileTask = () => refused('4711', message);
    await workbench.explorer.chooseFor('Import to Dataset…', 'refused.txt');
    const told = await workbench.notifications.waitFor(/Manuals rejected 'refused\.txt': code 4711: <b>No room/);
    const shown = (await told.text()).replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '');
    assert.equal(shown, `Manuals rejected 'refused.txt': code 4711: ${message}`);
    assert.deepEqual(await told.links(), [], 'a link of the service could be clicked');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('refused.txt', ({ spoken }) => spoken.startsWith('rejected'));
    const tooltip = await workbench.view('Tasks').tooltip('refused.txt');
    assert.ok(tooltip.includes(`code 4711: ${message}`), tooltip);
    assert.deepEqual(await workbench.view('Tasks').linksInTooltip('refused.txt'), []);
  });

  it('goes on with another key after a 401, and succeeds', async () => {
    const { workbench } = open();
    const otherKey = 'second-key-0123456789';
    service.fileTask = (request) =>
      header(request, 'Access-Key') === otherKey ? value('{"taskId":"after-401"}') : refused('E-401', 'Bad key', 401);
    await workbench.explorer.chooseFor('Import to Dataset…', 'unauthorized.txt');
    const told = await workbench.notifications.waitFor(
      'The imports to Manuals wait until you replace the access key, which was rejected: code E-401: Bad key',
    );
    await told.click('Replace Access Key…');
    await workbench.quickInput.answer("Access Key of 'Manuals'", otherKey);
    await workbench.saysInStatusBar("Uploaded 'unauthorized.txt' to Manuals.");
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('unauthorized.txt', ({ spoken }) => spoken.startsWith('succeeded'));
    assert.equal((await tasks.rows()).filter(({ label }) => label === 'unauthorized.txt').length, 1);
  });

  it('is unconfirmed after an HTML 502, and warns that importing again may import twice', async () => {
    const { workbench } = open();
    service.fileTask = () => ({
      status: 502,
      headers: { 'Content-Type': 'text/html' },
      body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
    });
    const before = service.imports.length;
    await workbench.explorer.chooseFor('Import to Dataset…', 'unclear.txt');
    const told = await workbench.notifications.waitFor("The import of 'unclear.txt' is unconfirmed.");
    assert.match(await told.text(), /HTTP 502\): '?502 Bad Gateway/);
    assert.match(await told.text(), /Importing again may create a duplicate\./);
    assert.equal(await told.severity(), 'warning');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('unclear.txt', ({ spoken }) => spoken.startsWith('unconfirmed'));
    assert.equal(service.imports.length, before + 1, 'it was sent again by itself');
  });

  it('keeps an answer without a task id whole, and shows it', async () => {
    const { workbench } = open();
    service.fileTask = () => value('{"reference":{"no":12345678901234567890},"state":"ok"}');
    await workbench.explorer.chooseFor('Import to Dataset…', 'mapped.txt');
    const told = await workbench.notifications.waitFor(
      "Uploaded 'mapped.txt' to Manuals, but no task ID was recognized in the response.",
    );
    await told.click('Show Response');
    await workbench.editors.waitForActive(/mapped\.txt/);
    const shown = JSON.stringify(
      { code: '0', message: null, data: { reference: { no: '#' }, state: 'ok' } },
      null,
      2,
    ).replace('"#"', '12345678901234567890');
    await workbench.editors.waitForText((text) => text.trim() === shown);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('mapped.txt', ({ spoken }) => spoken.startsWith('task ID not recognized'));
  });

  it('has no link in its tooltip, whatever its file, status and message are called', async () => {
    const { workbench } = open();
    const link = linkName.replace('.txt', '');
    service.fileTask = () => value('{"taskId":"linked"}');
    service.queryTask = () => value(JSON.stringify({ status: link, message: `<${link}> https://a.example` }));
    await workbench.explorer.chooseFor('Import to Dataset…', linkName);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow(linkName, ({ spoken }) => spoken.startsWith('status '));
    const tooltip = await workbench.view('Tasks').tooltip(linkName);
    assert.ok(tooltip.includes(`'${link}'`) && tooltip.includes(`<${link}> https://a.example`), tooltip);
    assert.deepEqual(await workbench.view('Tasks').linksInTooltip(linkName), []);
  });

  it('is unconfirmed where it is cancelled after some of it had left', async () => {
    const { workbench } = open();
    const since = service.imports.length;
    service.stallsUploads = true;
    await workbench.explorer.chooseFor('Import to Dataset…', 'big.txt');
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('big.txt', ({ description }) => /^importing [1-9]\d*%/.test(description));
    await tasks.clickInline('Cancel Import', 'big.txt');
    const told = await workbench.notifications.waitFor("The import of 'big.txt' was canceled while it was being sent.");
    assert.match(await told.text(), /[\d.]+ MB of 64 MB of the request was sent\./);
    await tasks.waitForRow('big.txt', ({ spoken }) => spoken.startsWith('unconfirmed'));
    service.stallsUploads = false;
    await assertNextImport(since);
  });

  it('is said to wait for a confirmation once all of it was sent, and to be unconfirmed if it is canceled then', async () => {
    const { workbench } = open();
    service.fileTask = () => undefined;
    await workbench.explorer.chooseFor('Import to Dataset…', 'later.txt');
    await workbench.saysInStatusBar("Importing 1 of 1: waiting for 'later.txt' to be confirmed");
    const label = "Dataset Import: Importing 1 of 1: waiting for 'later.txt' to be confirmed";
    await workbench.page.locator(`.statusbar-item a[aria-label^="${label}"]`).waitFor();
    await workbench.runCommand('Dataset Import: Cancel All Imports');
    const told = await workbench.notifications.waitFor("The import of 'later.txt' was canceled after it was sent.");
    assert.match(await told.text(), /Manuals may have received it\. Importing again may create a duplicate\./);
    service.fileTask = () => value(`{"taskId":"next-${service.imports.length}"}`);
  });

  /** What came whole to the service since is a file that is imported now, and nothing else. */
  async function assertNextImport(since: number): Promise<void> {
    const { workbench } = open();
    service.fileTask = () => value(`{"taskId":"next-${service.imports.length}"}`);
    await workbench.explorer.chooseFor('Import to Dataset…', 'answered.txt');
    await waitUntil('the next import', async () => service.imports.length > since || undefined);
    await workbench.saysInStatusBar("Uploaded 'answered.txt' to Manuals.");
    const files = await Promise.all(service.imports.slice(since).map(fileOf));
    assert.deepEqual(
      files.map(({ fileName, content }) => [fileName, content.toString()]),
      [['answered.txt', 'one\n']],
    );
  }
});
