import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { temporaryFolder } from '../editor/temporaryFolder';
import { spellings, telltales } from '../unit/service/spellings';
import type { OpenWorkbench } from './openWorkbench';
import { header, refused, ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('An access key', () => {
  // With characters that URLs and JSON write otherwise.
  const key = 'Canary+7f3a/9c1e%"b=dd04';
  const asUrl = encodeURIComponent(key);
  const asBase64 = Buffer.from(key).toString('base64');
  const nextKey = 'another-key-of-the-dataset-01';
  const forged = '2026-01-31 12:00:00.000 [error] forged';
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: {
        'data.txt': 'a\n',
        'elsewhere.txt': 'b\n',
        'header.txt': 'f\n',
        'html.txt': 'c\n',
        'message.txt': 'd\n',
        'replaced.txt': 'g\n',
        'unauthorized.txt': 'e\n',
      },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    importWithTwoKeys,
  );

  /** Types the key unseen, then another one, and imports with each to a service that repeats the first in all it says. */
  async function importWithTwoKeys(opened: OpenWorkbench): Promise<void> {
    const { workbench } = opened;
    const html = `<html>Your key ${key} or ${asUrl}</html>`;
    service.fileTask = () => value(JSON.stringify({ taskId: 't-1', [key]: spellings(key) }));
    service.queryTask = () =>
      value(JSON.stringify({ status: 'SUCCEEDED', message: Object.values(spellings(key)).join(' ') }));
    await workbench.explorer.chooseFor('Import to Dataset…', 'data.txt');
    await workbench.quickInput.waitFor("Access Key of 'Manuals'");
    await workbench.quickInput.type(` ${key}\t`);
    assert.equal(await workbench.quickInput.isSecret(), true);
    await workbench.quickInput.accept();
    await workbench.saysInStatusBar("Uploaded 'data.txt' to Manuals.");
    assert.equal(header(service.imports[0] ?? assert.fail('no import came'), 'Access-Key'), key);
    await mustNotShowTheKey(opened);
    await workbench.notifications.clear();
    for (const [name, response, says] of [
      ['message.txt', refused('77', `No dataset for ${key} (${asUrl})\n${forged}\u001b[31m`), 'code 77'],
      [
        'header.txt',
        { ...value('{"taskId":"t-2"}'), headers: { 'Content-Encoding': `x-${asUrl}` } },
        "Uploaded 'header.txt' to Manuals.",
      ],
      ['unauthorized.txt', refused('401', `Bad key ${asBase64}`, 401), 'code 401'],
      ['html.txt', { status: 500, headers: { 'Content-Type': 'text/html' }, body: html }, 'HTTP 500'],
      [
        'elsewhere.txt',
        { status: 302, headers: { Location: `http://127.0.0.1:9/login?key=${asUrl}` }, body: html },
        'redirects',
      ],
    ] as const) {
      service.fileTask = () => response;
      await workbench.explorer.chooseFor('Import to Dataset…', name);
      const told = await workbench.notifications.waitFor(says);
      await mustNotShowTheKey(opened);
      // It would wait for another access key.
      if (name === 'unauthorized.txt') {
        await told.click('Cancel Imports');
        await workbench.notifications.waitFor("The import of 'unauthorized.txt' was canceled.");
      }
      await workbench.notifications.clear();
    }
    assert.equal(service.imports.length, 6);
    const all = Object.values(spellings(key)).join(' ');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').chooseFor('Set Access Key…', 'Manuals');
    await workbench.quickInput.answer("Access Key of 'Manuals'", nextKey);
    service.fileTask = () => refused('99', `${all} is no longer valid`);
    await workbench.explorer.chooseFor('Import to Dataset…', 'replaced.txt');
    await workbench.notifications.waitFor('code 99');
    assert.equal(header(service.imports.at(-1) ?? assert.fail('no import came'), 'Access-Key'), nextKey);
    await mustNotShowTheKey(opened);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').chooseFor('Show Last Response', 'replaced.txt');
    await workbench.editors.waitForText((text) => text.includes('is no longer valid'));
    await mustNotShowTheKey(opened);
  }

  it('is in no row, no tooltip, no answer that is shown, no log, and not on the clipboard', async () => {
    const { workbench } = open();
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('data.txt', ({ spoken }) => spoken.startsWith('succeeded'));
    for (const { label, ariaLabel } of await tasks.rows()) {
      mustNotHoldTheKey(ariaLabel);
      mustNotHoldTheKey(await tasks.tooltip(label));
    }
    await tasks.chooseFor('Copy Task ID', 'data.txt');
    await waitUntil('the id on the clipboard', async () => (await workbench.clipboard()) === 't-1' || undefined);
    await tasks.chooseFor('Show Last Response', 'data.txt');
    await workbench.editors.waitForText((text) => text.includes('SUCCEEDED'));
    await mustNotShowTheKey(open());
    await workbench.runCommand('Dataset Import: Show Log');
    await workbench.page.locator('.panel .output-view').first().waitFor();
    await mustNotShowTheKey(open());
  });

  it('is logged as a mask, and what a service says is one line of the log', async () => {
    const log = logOf('Dataset Import.log');
    assert.match(log, /file-task: rejected: code 77: No dataset for ••••••••/);
    assert.match(log, /file-task: rejected: code 99: ••••••••/);
    assert.match(log, /file-task: the response names an encoding that is not known/);
    assert.match(log, /file-task: unconfirmed: .*HTTP 500/);
    assert.ok(log.includes(`\\n${forged}\\u001b[31m`), log);
    for (const line of log.split('\n')) assert.ok(!line.startsWith(forged), line);
    assert.match(logOf('remoteexthost.log'), /dataset-import\.dataset-import/);
  });

  it('is in no file that the editor or the browser has written, however it may be spelled', async () => {
    const { dataFolder } = open();
    const folders = [
      dataFolder,
      ...readdirSync(tmpdir())
        .filter((name) => name.startsWith('di-browser-'))
        .map((name) => join(tmpdir(), name)),
    ];
    for (const secret of [key, nextKey]) {
      assert.deepEqual(
        folders.flatMap((folder) => filesThatHold(folder, forms(secret))),
        [],
      );
    }
    // It is looked for where the rest of what was imported is to be found.
    const files = filesThatHold(dataFolder, ['elsewhere.txt', 'code 77']).join('\n');
    for (const file of [/tasks\.sqlite/, /Dataset Import\.log/]) assert.match(files, file);
  });

  it('would have been found in any of these spellings', () => {
    const folder = temporaryFolder('di-found');
    mkdirSync(join(folder.path, 'deep'));
    const texts = [...forms(key), ...Object.values(spellings(key)).map((text) => Buffer.from(text).toString('latin1'))];
    for (const [index, text] of texts.entries()) {
      writeFileSync(join(folder.path, 'deep', `${index}.bin`), Buffer.from(`..${text}..`, 'latin1'));
    }
    assert.equal(filesThatHold(folder.path, forms(key)).length, texts.length);
    folder.remove();
  });

  function mustNotHoldTheKey(text: string): void {
    const shown = text.toLowerCase();
    for (const secret of [key, nextKey])
      for (const telltale of telltales(secret)) assert.ok(!shown.includes(telltale), text);
  }

  /** The log files of that name, one after another. */
  function logOf(name: string): string {
    const files = filesIn(open().dataFolder).filter((file) => basename(file).endsWith(name));
    return files.map((file) => readFileSync(file, 'utf8')).join('\n');
  }

  async function mustNotShowTheKey({ page }: OpenWorkbench): Promise<void> {
    mustNotHoldTheKey(await page.evaluate<string>('document.documentElement.outerHTML + document.body.innerText'));
  }
});

/** A secret as files may hold it, in lower case, each byte a character. */
function forms(secret: string): readonly string[] {
  const texts = telltales(secret).map((text) => Buffer.from(text).toString('latin1'));
  return [...texts, Buffer.from(secret, 'utf16le').toString('latin1').toLowerCase()];
}

/** The files under a folder that hold any of these, whatever the case. */
function filesThatHold(folder: string, wanted: readonly string[]): string[] {
  return filesIn(folder).filter((file) => {
    const content = unlessGone(() => readFileSync(file, 'latin1').toLowerCase()) ?? '';
    return wanted.some((text) => content.includes(text));
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
