import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spellings, telltales } from '../unit/service/spellings';
import { importFile } from './importFile';
import { rejected, ScriptedService, value } from './scriptedService';
import { hasState } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('An access key', () => {
  // Contains characters that are escaped in URLs and JSON.
  const key = 'Canary+7f3a/9c1e%"b=dd04';
  const asUrl = encodeURIComponent(key);
  const nextKey = 'another-key-of-the-dataset-01';
  const service = ScriptedService.duringTests();
  const open = useWorkbench(() => ({
    files: {
      'data.txt': 'a\n',
      'elsewhere.txt': 'b\n',
      'html.txt': 'c\n',
      'message.txt': 'd\n',
      'replaced.txt': 'g\n',
    },
    settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
  }));

  it('never appears on screen or in files written by the editor or the browser, even if a service echoes it', async () => {
    await importWithTwoKeys();
    await showEverything();
    const { dataFolder } = open();
    const folders = [
      dataFolder,
      ...readdirSync(tmpdir())
        .filter((name) => name.startsWith('di-browser-'))
        .map((name) => join(tmpdir(), name)),
    ];
    for (const secret of [key, nextKey]) {
      const leaks = folders.flatMap((folder) => filesWith(folder, forms(secret)));
      assert.deepEqual(leaks, []);
    }
    // Make sure that the same search finds other imported data in the database and the log.
    const files = filesWith(dataFolder, ['elsewhere.txt', 'code 77']).join('\n');
    for (const file of [/imports\.sqlite/, /Dataset Import\.log/]) assert.match(files, file);
  });

  /**
   * Imports files to a service that echoes the access key in every response, first with one key and then with another.
   */
  async function importWithTwoKeys(): Promise<void> {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    const html = `<html>Your key ${key} or ${asUrl}</html>`;
    service.fileTask = () => value(JSON.stringify({ taskId: 't-1', [key]: spellings(key) }));
    service.queryTask = () =>
      value(JSON.stringify({ status: 'SUCCEEDED', message: Object.values(spellings(key)).join(' ') }));
    await workbench.explorer.chooseFor('Import to Dataset…', 'data.txt');
    await workbench.quickInput.waitFor("Access Key of 'Manuals'");
    await workbench.quickInput.type(` ${key}\t`);
    assert.equal(await workbench.quickInput.isSecret(), true);
    await workbench.quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('data.txt', hasState('succeeded'));
    assert.equal(service.imports[0]?.headers['access-key'], key);
    await assertKeyIsNotShown();
    for (const [name, response, state] of [
      ['message.txt', rejected('77', `No dataset for ${key} (${asUrl})`), 'rejected'],
      ['html.txt', { status: 500, headers: { 'Content-Type': 'text/html' }, body: html }, 'unconfirmed'],
      [
        'elsewhere.txt',
        { status: 302, headers: { Location: `http://127.0.0.1:9/login?key=${asUrl}` }, body: html },
        'unconfirmed',
      ],
    ] as const) {
      service.fileTask = () => response;
      await importFile(workbench, name, state);
      await assertKeyIsNotShown();
      await workbench.notifications.clear();
    }
    const all = Object.values(spellings(key)).join(' ');
    // A new key ends the pause, even though the service asked for an hour.
    const busy = { status: 429, headers: { 'Retry-After': '3600' }, body: all };
    service.fileTask = ({ headers }) =>
      headers['access-key'] === key ? busy : rejected('99', `${all} is no longer valid`);
    await workbench.explorer.chooseFor('Import to Dataset…', 'replaced.txt');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('replaced.txt', hasState('paused'));
    await workbench.view('Datasets').chooseFor('Set Access Key…', 'Manuals');
    await workbench.quickInput.answer("Access Key of 'Manuals'", nextKey);
    await tasks.waitForRow('replaced.txt', hasState('rejected'));
    assert.equal(service.imports.at(-1)?.headers['access-key'], nextKey);
    await assertKeyIsNotShown();
  }

  /** Opens tooltips, details and the log, and copies a task ID. */
  async function showEverything(): Promise<void> {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    for (const { label, ariaLabel } of await tasks.rows()) {
      assertKeyIsNotIn(ariaLabel);
      assertKeyIsNotIn(await tasks.tooltip(label));
    }
    for (const [name, words] of [
      ['replaced.txt', 'is no longer valid'],
      ['data.txt', 't-1'],
    ] as const) {
      await tasks.select(name);
      await workbench.editors.waitForText((text) => text.startsWith(name) && text.includes(words));
      await assertKeyIsNotShown();
    }
    await tasks.chooseFor('Copy Task ID', 'data.txt');
    await waitUntil('the ID on the clipboard', async () => (await workbench.clipboard()) === 't-1' || undefined);
    await workbench.runCommand('Dataset Import: Show Log');
    await workbench.page.locator('.panel .output-view').first().waitFor();
    await assertKeyIsNotShown();
  }

  function assertKeyIsNotIn(text: string): void {
    const shown = text.toLowerCase();
    for (const secret of [key, nextKey])
      for (const telltale of telltales(secret)) assert.ok(!shown.includes(telltale), text);
  }

  async function assertKeyIsNotShown(): Promise<void> {
    assertKeyIsNotIn(
      await open().page.evaluate<string>('document.documentElement.outerHTML + document.body.innerText'),
    );
  }
});

/** The forms that a secret can take in a file that is decoded as Latin-1 and lowercased. */
function forms(secret: string): readonly string[] {
  const texts = telltales(secret).map((text) => Buffer.from(text).toString('latin1'));
  return [...texts, Buffer.from(secret, 'utf16le').toString('latin1').toLowerCase()];
}

/** The files in a folder that contain any of these strings, ignoring case. */
function filesWith(folder: string, wanted: readonly string[]): string[] {
  return filesIn(folder).filter((file) => {
    const content = unlessDeleted(() => readFileSync(file, 'latin1').toLowerCase()) ?? '';
    return wanted.some((text) => content.includes(text));
  });
}

/** All files in a folder and its subfolders. */
function filesIn(folder: string): string[] {
  const entries = unlessDeleted(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
  });
}

/** Returns undefined if another process has just deleted the file. */
function unlessDeleted<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
