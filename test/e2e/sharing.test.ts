import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Newcomer, OwnWords } from './ownWords';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('What is sent, shown and handed on', () => {
  const content = "it's line one\nline two\n";
  const contract = {
    headers: { 'X-Note': "it's ours" },
    fileTask: { fields: { title: '${taskName}' }, taskId: '/r/x/ref' },
    queryTask: { body: { q: { ref: '${taskId}' } }, status: '/r/x/st', statusMeanings: { Z: 'succeeded' } },
  };
  let service: OwnWords;
  let definition: object;
  let previewed = '';
  before(async () => {
    service = await OwnWords.start('unrecognizable');
    definition = { name: 'Letters', baseUrl: service.url, contract };
  });
  after(() => service.close());
  const open = useWorkbench(() => ({
    files: { 'notes.txt': content, 'more.txt': 'more\n', 'last.txt': 'last\n', 'own.txt': 'own\n' },
    // So that settings.json opens as any other file does.
    settings: { 'datasetImport.datasets': [definition], 'workbench.editor.useModal': 'off' },
  }));
  afterEach(() => open().workbench.notifications.clear());

  const row = (name: string, description: RegExp) =>
    open()
      .workbench.view('Tasks')
      .waitForRow(name, (seen) => description.test(seen.description));

  describe('Preview Import…', () => {
    it('shows the exact request with the key masked, and sends nothing', async () => {
      const { workbench } = open();
      await workbench.explorer.open('notes.txt');
      await workbench.editors.waitForActive('notes.txt');
      await workbench.runCommand('Dataset Import: Preview Import…');
      await workbench.editors.waitForActive('notes.txt (import request)');
      const text = await workbench.editors.waitForText((shown) => shown.includes('line two'));
      previewed = text;
      const [, boundary] = /^Content-Type: multipart\/form-data; boundary=(\S+)$/m.exec(text) ?? [];
      assert.ok(boundary, text);
      assert.match(text, /^POST \/openapi\/open\/v1\/file-task HTTP\/1\.1\n/);
      assert.equal(
        text.slice(text.indexOf('\n\n')).replaceAll(boundary, 'BOUNDARY').trim(),
        [
          '--BOUNDARY',
          'Content-Disposition: form-data; name="title"',
          '',
          'notes',
          '--BOUNDARY',
          'Content-Disposition: form-data; name="file"; filename="notes.txt"',
          'Content-Type: text/plain',
          '',
          ...content.split('\n'),
          '--BOUNDARY--',
        ].join('\n'),
      );
      assert.deepEqual(service.requests, []);
    });

    it('is read-only', async () => {
      const { editors } = open().workbench;
      const before = await editors.text();
      await editors.type('x');
      assert.equal(await editors.text(), before);
    });
  });

  describe('Copy as cURL', () => {
    it('from the button of the preview is a command that the service accepts', async () => {
      const { workbench } = open();
      await workbench.editors.clickTitleAction('Copy as cURL');
      const response = await run(await copiedCommand());
      assert.match(response, /"code":"0"/);
      assertImportArrived(1);
    });

    it('from the palette is the import of the file in the editor', async () => {
      const { workbench } = open();
      await workbench.explorer.open('notes.txt');
      await workbench.editors.waitForActive(/^notes\.txt$/);
      await forgetClipboard();
      await workbench.runCommand('Dataset Import: Copy as cURL');
      const response = await run(await copiedCommand());
      assert.match(response, /"code":"0"/);
      assertImportArrived(2);
    });
  });

  describe('The import itself', () => {
    it('has the headers that the preview has shown', async () => {
      const { workbench } = open();
      await workbench.explorer.chooseFor('Import File', 'notes.txt');
      await workbench.quickInput.response("Access-Key of dataset 'Letters'", service.accessKey);
      await workbench.notifications.waitFor("'Letters' accepted 'notes.txt' as task x");
      const sent = service.imports.at(-1)?.headers.map(([name, value]) => `${name}: ${value}`);
      const [, ...shown] = (previewed.split('\n\n')[0] ?? '').split('\n');
      const alike = (line: string) => line.replace(/boundary=\S+$/, 'boundary=…').replace(/[•*]{8}$/, 'masked');
      assert.deepEqual(shown.map(alike), sent?.map(alike));
    });
  });

  describe('Preview Query…', () => {
    it('shows the exact request, which can be copied as a command too', async () => {
      const { workbench } = open();
      service.moveOn('end');
      await workbench.openContainer('Dataset Import');
      await row('notes.txt', /^succeeded/);
      const body = service.queries.at(-1) ?? '';
      const asked = service.queries.length;
      await workbench.view('Tasks').chooseFor('Preview Query…', 'notes.txt');
      await workbench.editors.waitForActive('notes.txt (query request)');
      const text = await workbench.editors.waitForText((shown) => shown.includes(body));
      assert.match(text, /^POST \/openapi\/open\/v1\/query-task HTTP\/1\.1$/m);
      assert.match(text, /^Access-Key: •+$/m);
      assert.equal(service.queries.length, asked);
      await forgetClipboard();
      await workbench.editors.clickTitleAction('Copy as cURL');
      assert.match(await run(await copiedCommand()), /"st":"Z"/);
      assert.equal(service.queries.at(-1), body);
    });
  });

  describe('A dataset definition', () => {
    it('is copied without the key', async () => {
      const { workbench } = open();
      await forgetClipboard();
      await workbench.view('Datasets').chooseFor('Copy Dataset Definition', 'Letters');
      const copied = await copiedText((text) => text.startsWith('{'));
      assert.deepEqual(JSON.parse(copied), definition);
      assert.ok(!copied.includes(service.accessKey));
    });

    it('cannot be added beside the dataset of its name', async () => {
      const { workbench } = open();
      await workbench.runCommand('Dataset Import: Add Dataset from Clipboard');
      await workbench.notifications.waitFor("There is already a dataset 'Letters'.");
    });

    it('brings the dataset back once it was removed: only the key is asked for', async () => {
      const { workbench } = open();
      await workbench.view('Datasets').chooseFor('Remove Dataset…', 'Letters');
      await workbench.dialog.waitFor("Remove dataset 'Letters' and its Access-Key from VS Code?");
      await workbench.dialog.click('Remove Dataset');
      await workbench.view('Datasets').waitForWelcome(/Add Dataset…/);
      await workbench.runCommand('Dataset Import: Add Dataset from Clipboard');
      await workbench.quickInput.response("Access-Key of dataset 'Letters'", service.accessKey);
      await workbench.view('Datasets').waitForRow('Letters');
      await workbench.explorer.chooseFor('Import File', 'more.txt');
      await workbench.notifications.waitFor("'Letters' accepted 'more.txt' as task x");
      service.moveOn('end');
      await workbench.openContainer('Dataset Import');
      await row('more.txt', /^succeeded/);
    });

    for (const [what, text, says] of [
      ['garbage', 'not a definition', 'The clipboard holds no dataset definition.'],
      ['other JSON', '{"name":"Other"}', 'The clipboard holds no dataset definition.'],
      [
        'a mistake in its contract',
        JSON.stringify({ name: 'Other', baseUrl: 'https://a.example', contract: { queryTask: { status: 'st' } } }),
        "The definition of dataset 'Other' in the clipboard cannot be used: contract.queryTask.status is not a JSON Pointer",
      ],
      [
        'plain http to another machine',
        JSON.stringify({ name: 'Other', baseUrl: 'http://a.example' }),
        "The definition of dataset 'Other' in the clipboard cannot be used. The URL must begin with https://",
      ],
    ] as const) {
      it(`is refused with ${what}`, async () => {
        const { workbench } = open();
        await setClipboard(text);
        await workbench.runCommand('Dataset Import: Add Dataset from Clipboard');
        const told = await workbench.notifications.waitFor(says);
        assert.equal(await told.severity(), 'error');
        assert.equal(await workbench.quickInput.text(), null);
      });
    }
  });

  describe('In the settings', () => {
    it('a mistake in one part of a contract is named with dataset and key, and the other parts work', async () => {
      const { workbench, dataFolder } = open();
      const file = join(dataFolder, 'User', 'settings.json');
      const settings = readFileSync(file, 'utf8');
      assert.ok(settings.includes('"/r/x/st"'));
      await workbench.runCommand('Dataset Import: Open Dataset Settings');
      await workbench.editors.waitForActive('settings.json');
      await workbench.editors.replaceAndSave(settings.replace('"/r/x/st"', '"r/x/st"'), file);
      const told = await workbench.notifications.waitFor(
        "Dataset 'Letters' in the settings: contract.queryTask.status is not a JSON Pointer such as /taskId.",
      );
      await workbench.explorer.open('last.txt');
      await workbench.editors.waitForActive('last.txt');
      await told.click('Open Settings');
      await workbench.editors.waitForActive('settings.json');
      await workbench.explorer.chooseFor('Import File', 'last.txt');
      await workbench.notifications.waitFor("'Letters' accepted 'last.txt' as task x");
      await workbench.openContainer('Dataset Import');
      service.moveOn('end');
      await row('last.txt', /^status not recognised/);
      await workbench.editors.replaceAndSave(settings, file);
      await row('last.txt', /^succeeded/);
    });
  });

  describe('Start Sandbox As…', () => {
    it('runs one of several services, to practise with', async () => {
      const { workbench } = open();
      const newcomer = new Newcomer(workbench, 'Sandbox');
      await workbench.runCommand('Dataset Import: Start Sandbox As…');
      await workbench.quickInput.waitFor('How shall the sandbox speak?');
      const offered = (await workbench.quickInput.rows()).map(({ label }) => label);
      assert.deepEqual(offered.slice(0, 2), ['Standard', 'Flaky network']);
      await newcomer.pick('How shall the sandbox speak?', 'Nested, with states of its own');
      await newcomer.follow("The sandbox is running as dataset 'Sandbox'.", 'Make It the Default');
      await workbench.explorer.chooseFor('Import File', 'own.txt');
      await workbench.notifications.waitFor("'Sandbox' accepted 'own.txt' as task");
      await workbench.openContainer('Dataset Import');
      await newcomer.follow("No status was recognised in the answer about 'own.txt'.", 'Choose the Status…');
      await workbench.quickInput.waitFor("Status in the answers of dataset 'Sandbox'");
      const status = (await workbench.quickInput.rows()).find(
        ({ description }) => description === '/importTask/phase/name',
      );
      await workbench.quickInput.pick(status?.label ?? '');
      await newcomer.sayWhatItMeans('IN_DATASET', 'Succeeded');
      await row('own.txt', /^succeeded/);
    });
  });

  /** Runs a command as a person would who pasted it into a shell. */
  async function run(command: string): Promise<string> {
    assert.ok(!command.includes(service.accessKey));
    const env = { ...process.env, ACCESS_KEY: service.accessKey, NO_PROXY: '*' };
    return (await promisify(execFile)('bash', ['-c', command], { env })).stdout;
  }

  function assertImportArrived(count: number): void {
    assert.equal(service.imports.length, count);
    const last = service.imports.at(-1);
    assert.deepEqual(
      last?.parts.map(({ name, bytes, firstLines }) => [name, bytes, firstLines.trim()]),
      [
        ['title', 5, 'notes'],
        ['file', content.length, content.trim()],
      ],
    );
    assert.ok(last?.headers.some(([name, value]) => name === 'X-Note' && value === "it's ours"));
  }

  async function setClipboard(text: string): Promise<void> {
    await open().page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  }

  async function forgetClipboard(): Promise<void> {
    await setClipboard('-');
  }

  async function copiedText(isIt: (text: string) => boolean): Promise<string> {
    return await waitUntil('the clipboard', async () => {
      const text = await open().workbench.clipboard();
      return isIt(text) ? text : undefined;
    });
  }

  async function copiedCommand(): Promise<string> {
    return await copiedText((text) => text.startsWith('curl '));
  }
});
