import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { giveKey } from './giveKey';
import { OwnWords } from './ownWords';
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
  before(async () => {
    service = await OwnWords.start();
    definition = { name: 'Letters', baseUrl: service.url, contract };
  });
  after(() => service.close());
  const open = useWorkbench(() => ({
    files: { 'notes.txt': content, 'more.txt': 'more\n', 'last.txt': 'last\n' },
    settings: { 'datasetImport.datasets': [definition] },
  }));
  afterEach(() => open().workbench.notifications.clear());

  const row = (name: string, spoken: RegExp) =>
    open()
      .workbench.view('Tasks')
      .waitForRow(name, (seen) => spoken.test(seen.spoken));

  it('is shown by Preview Import… to the byte with the key masked, copied as cURL, and sent so by the import', async () => {
    const { workbench } = open();
    const { explorer, editors, quickInput } = workbench;
    await explorer.open('notes.txt');
    await editors.waitForActive('notes.txt');
    await workbench.runCommand('Dataset Import: Preview Import…');
    await editors.waitForActive('notes.txt (import request)');
    const text = await editors.waitForText((shown) => shown.includes('line two'));
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
    await editors.type('x');
    assert.equal(await editors.text(), text, 'it can be edited');

    await open().workbench.setClipboard('-');
    await editors.clickTitleAction('Copy Request as cURL');
    assert.match(await run(await copiedCommand()), /"code":"0"/);
    // The first request of all: the preview has sent none.
    assert.equal(service.requests.length, 1);
    assertImportArrived();
    await explorer.open('notes.txt');
    await editors.waitForActive(/^notes\.txt$/);
    await open().workbench.setClipboard('-');
    await workbench.runCommand('Dataset Import: Copy Request as cURL');
    assert.match(await run(await copiedCommand()), /"code":"0"/);
    assert.equal(service.requests.length, 2);
    assertImportArrived();

    await explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await quickInput.answer("Access Key of 'Letters'", service.accessKey);
    await workbench.saysInStatusBar("Uploaded 'notes.txt' to Letters.");
    const sent = service.imports.at(-1)?.headers.map(([name, value]) => `${name}: ${value}`);
    const [, ...shown] = (text.split('\n\n')[0] ?? '').split('\n');
    const alike = (line: string) => line.replace(/boundary=\S+$/, 'boundary=…').replace(/[•*]{8}$/, 'masked');
    assert.deepEqual(shown.map(alike), sent?.map(alike));
    service.moveOn();
    await workbench.openContainer('Dataset Import');
    await row('notes.txt', /^succeeded/);
  });

  it('is shown of a query by Preview Query…, and copied as cURL too', async () => {
    const { workbench } = open();
    await importFile('more.txt');
    const body = `{"q":{"ref":"${service.lastId(/"ref":"([^"]+)"/)}"}}`;
    const asked = service.queries.length;
    await workbench.view('Tasks').chooseFor('Preview Status Check…', 'more.txt');
    await workbench.editors.waitForActive('more.txt (query request)');
    const text = await workbench.editors.waitForText((shown) => shown.includes(body));
    assert.match(text, /^POST \/openapi\/open\/v1\/query-task HTTP\/1\.1$/m);
    assert.match(text, /^Access-Key: •+$/m);
    await open().workbench.setClipboard('-');
    await workbench.editors.clickTitleAction('Copy Request as cURL');
    assert.match(await run(await copiedCommand()), /"st":"Z"/);
    assert.deepEqual(service.queries.slice(asked), [body], 'the preview has sent a query');
  });

  it('goes with the definition of a dataset, which is copied without the key and brings all but the key back', async () => {
    const { workbench } = open();
    const datasets = workbench.view('Datasets');
    await workbench.openContainer('Dataset Import');
    await open().workbench.setClipboard('-');
    await datasets.chooseFor('Copy Dataset Definition', 'Letters');
    await workbench.dialog.click('Copy With Them');
    const copied = await copiedText((text) => text.startsWith('{'));
    assert.deepEqual(JSON.parse(copied), definition);
    assert.ok(!copied.includes(service.accessKey));
    await workbench.runCommand('Dataset Import: Add Dataset from Clipboard');
    await workbench.notifications.waitFor("A dataset named 'Letters' already exists.");
    await datasets.chooseFor('Remove Dataset…', 'Letters');
    await workbench.dialog.waitFor("Remove dataset 'Letters' and its access key from VS Code?");
    await workbench.dialog.click('Remove Dataset');
    await datasets.waitForWelcome(/Add Dataset…/);
    await workbench.runCommand('Dataset Import: Add Dataset from Clipboard');
    await workbench.quickInput.answer("Access Key of 'Letters'", service.accessKey);
    await datasets.waitForRow('Letters');
    await importFile('last.txt');
  });

  it('goes without headers that have fixed values, unless the user wants them, who is never shown the values', async () => {
    const { workbench } = open();
    const secret = { 'X-Api-Key': 'do-not-share-this', 'X-Note': 'own' };
    await open().workbench.setClipboard(
      JSON.stringify({ name: 'Guarded', baseUrl: service.url, contract: { headers: secret } }),
    );
    await workbench.runCommand('Dataset Import: Add Dataset from Clipboard');
    await workbench.quickInput.answer("Access Key of 'Guarded'", 'guarded-key-0123');
    const datasets = workbench.view('Datasets');
    await datasets.waitForRow('Guarded');
    for (const [button, contract] of [
      ['Copy Without Them', {}],
      ['Copy With Them', { headers: secret }],
    ] as const) {
      await open().workbench.setClipboard('-');
      await datasets.chooseFor('Copy Dataset Definition', 'Guarded');
      const asked = await workbench.dialog.waitFor(
        "The definition of 'Guarded' has fixed values, which may be secret.",
      );
      assert.ok(!asked.includes('do-not-share-this'), asked);
      await workbench.dialog.click(button);
      const copied = await copiedText((text) => text.startsWith('{'));
      assert.deepEqual((JSON.parse(copied) as { contract?: object }).contract ?? {}, contract);
    }
    await datasets.chooseFor('Remove Dataset…', 'Guarded');
    await workbench.dialog.click('Remove Dataset');
  });

  it('is not read from a clipboard that holds no definition that can be used', async () => {
    const { workbench } = open();
    const other = (more: object) => JSON.stringify({ name: 'Other', baseUrl: 'https://a.example', ...more });
    for (const [text, says] of [
      ['not a definition', 'The clipboard does not contain a dataset definition.'],
      ['{"name":"Other"}', 'The clipboard does not contain a dataset definition.'],
      [
        other({ contract: { queryTask: { status: 'st' } } }),
        "The definition of dataset 'Other' in the clipboard cannot be used: contract.queryTask.status is not a JSON Pointer",
      ],
      [
        other({ baseUrl: 'http://a.example' }),
        "The definition of dataset 'Other' in the clipboard cannot be used: The URL must begin with https://",
      ],
    ] as const) {
      await open().workbench.setClipboard(text);
      await workbench.runCommand('Dataset Import: Add Dataset from Clipboard');
      const told = await workbench.notifications.waitFor(says);
      assert.equal(await told.severity(), 'error');
      assert.equal(await workbench.quickInput.text(), null);
      await workbench.notifications.clear();
    }
  });

  /** Sets the key and imports a file, until its task has succeeded. */
  async function importFile(name: string): Promise<void> {
    const { workbench } = open();
    await giveKey(open(), 'Letters', service.accessKey);
    await workbench.explorer.chooseFor('Import to Dataset…', name);
    await workbench.saysInStatusBar(`Uploaded '${name}' to Letters.`);
    service.moveOn();
    await workbench.openContainer('Dataset Import');
    await row(name, /^succeeded/);
  }

  /** Runs a command as a person would who pasted it into a shell. */
  async function run(command: string): Promise<string> {
    assert.ok(!command.includes(service.accessKey));
    const env = { ...process.env, ACCESS_KEY: service.accessKey, NO_PROXY: '*' };
    return (await promisify(execFile)('bash', ['-c', command], { env })).stdout;
  }

  function assertImportArrived(): void {
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
