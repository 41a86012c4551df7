import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../editor/temporaryFolder';
import type { OpenWorkbench } from './openWorkbench';
import { header, refused, ScriptedService, taken } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('An access key', () => {
  // With characters that URLs and JSON write otherwise.
  const key = 'Canary+7f3a/9c1e%"b=dd04';
  const asUrl = encodeURIComponent(key);
  const asBase64 = Buffer.from(key).toString('base64');
  let service: ScriptedService;
  before(async () => {
    service = await ScriptedService.start();
  });
  after(() => service.close());
  const open = useWorkbench(() => ({
    files: {
      'data.txt': 'a\n',
      'elsewhere.txt': 'b\n',
      'html.txt': 'c\n',
      'message.txt': 'd\n',
      'unauthorized.txt': 'e\n',
    },
    settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
  }));

  it('is typed unseen and sent in its header, the spaces around it dropped', async () => {
    const { workbench } = open();
    const html = `<html>Your key ${key} or ${asUrl}</html>`;
    service.fileTask = () =>
      taken(JSON.stringify({ taskId: 't-1', echo: key, [key]: { url: asUrl, base: [asBase64] } }));
    service.queryTask = () => taken(JSON.stringify({ status: 'SUCCEEDED', message: `took ${key} and ${asBase64}` }));
    await workbench.explorer.chooseFor('Import File', 'data.txt');
    await workbench.quickInput.waitFor("Access-Key of dataset 'Manuals'");
    await workbench.quickInput.type(` ${key}\t`);
    assert.equal(await workbench.quickInput.isSecret(), true);
    await workbench.quickInput.accept();
    await workbench.notifications.waitFor("'Manuals' accepted 'data.txt'");
    assert.equal(header(service.imports[0] ?? assert.fail('no import came'), 'Access-Key'), key);
    await mustNotShowTheKey(open());
    await workbench.notifications.clear();
    for (const [name, answer, says] of [
      ['message.txt', refused('77', `No dataset for ${key} (${asUrl})`), 'code 77'],
      ['unauthorized.txt', refused('401', `Bad key ${asBase64}`, 401), 'code 401'],
      ['html.txt', { status: 500, headers: { 'Content-Type': 'text/html' }, body: html }, 'HTTP 500'],
      [
        'elsewhere.txt',
        { status: 302, headers: { Location: `http://127.0.0.1:9/login?key=${asUrl}` }, body: html },
        'redirects',
      ],
    ] as const) {
      service.fileTask = () => answer;
      await workbench.explorer.chooseFor('Import File', name);
      await workbench.notifications.waitFor(says);
      await mustNotShowTheKey(open());
      await workbench.notifications.clear();
    }
    assert.equal(service.imports.length, 5);
  });

  it('is in no row, no tooltip, no answer that is shown, no log, and not on the clipboard', async () => {
    const { workbench } = open();
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('data.txt', ({ description }) => description.startsWith('succeeded'));
    for (const { label, ariaLabel } of await tasks.rows()) {
      mustNotHoldTheKey(ariaLabel);
      mustNotHoldTheKey(await tasks.tooltip(label));
    }
    await tasks.chooseFor('Copy Task ID', 'data.txt');
    await waitUntil('the id on the clipboard', async () => (await workbench.clipboard()) === 't-1' || undefined);
    await tasks.chooseFor('Show Last Answer', 'data.txt');
    await workbench.editors.waitForText((text) => text.includes('SUCCEEDED'));
    await mustNotShowTheKey(open());
    await workbench.runCommand('Dataset Import: Show Log');
    await workbench.page.locator('.panel .output-view').first().waitFor();
    await mustNotShowTheKey(open());
  });

  it('is in no file that the editor or the browser has written, however it may be spelled', async () => {
    const { dataFolder } = open();
    const folders = [
      dataFolder,
      ...readdirSync(tmpdir())
        .filter((name) => name.startsWith('di-browser-'))
        .map((name) => join(tmpdir(), name)),
    ];
    assert.deepEqual(
      folders.flatMap((folder) => filesThatHold(folder, spellings(key))),
      [],
    );
    // It is looked for where the rest of what was imported is to be found.
    assert.match(filesThatHold(dataFolder, [Buffer.from('elsewhere.txt')]).join('\n'), /tasks\.sqlite/);
  });

  it('would have been found in any of these spellings', () => {
    const folder = temporaryFolder('di-found');
    mkdirSync(join(folder.path, 'deep'));
    const texts = [key, asUrl, asBase64, Buffer.from(`{"k":"${key}"}`).toString('base64'), JSON.stringify({ key })];
    for (const [index, text] of texts.entries())
      writeFileSync(join(folder.path, 'deep', `${index}.bin`), `..${text}..`);
    writeFileSync(join(folder.path, 'utf16.bin'), Buffer.from(key, 'utf16le'));
    assert.equal(filesThatHold(folder.path, spellings(key)).length, texts.length + 1);
    folder.remove();
  });

  function mustNotHoldTheKey(text: string): void {
    for (const spelling of spellings(key)) assert.ok(!Buffer.from(text).includes(spelling), text);
  }

  async function mustNotShowTheKey({ page }: OpenWorkbench): Promise<void> {
    mustNotHoldTheKey(await page.evaluate<string>('document.documentElement.outerHTML + document.body.innerText'));
  }
});

/** A secret as files may hold it: plain, in UTF-16, as JSON and URLs write it, and in Base64 wherever it begins there. */
function spellings(secret: string): Buffer[] {
  // Of the Base64 of a longer text only the characters are sure that come of the secret alone.
  const inBase64 = ['', 'x', 'xx'].map((before, shift) => {
    const whole = Buffer.from(before + secret);
    const sure = whole.subarray(0, whole.length - (whole.length % 3)).toString('base64');
    return sure.slice(shift === 0 ? 0 : 4);
  });
  const texts = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...inBase64];
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(secret, 'utf16le')];
}

/** The files under a folder that hold any of these bytes. */
function filesThatHold(folder: string, wanted: readonly Buffer[]): string[] {
  return filesIn(folder).filter((file) => {
    const content = unlessGone(() => readFileSync(file)) ?? Buffer.alloc(0);
    return wanted.some((bytes) => content.includes(bytes));
  });
}

/** All files under a folder. */
function filesIn(folder: string): string[] {
  const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

/** What is read; nothing where it has gone meanwhile, as a running program's files may. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
