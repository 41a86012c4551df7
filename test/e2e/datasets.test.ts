import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { editSettings, settingsFile } from './editSettings';
import { giveKey } from './giveKey';
import { header, type ReceivedRequest, ScriptedService } from './scriptedService';
import type { TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('Several datasets', () => {
  const [firstKey, secondKey] = ['first-dataset-key-0123', 'second-dataset-key-0123'];
  let first: ScriptedService;
  let second: ScriptedService;
  let elsewhere: ScriptedService;
  let settings: string;
  before(async () => {
    first = await ScriptedService.start();
    second = await ScriptedService.start();
    elsewhere = await ScriptedService.start();
  });
  after(() => Promise.all([first, second, elsewhere].map((service) => service.close())));

  const broken = [
    { name: 'With a user', baseUrl: 'https://me:secret@import.example.com' },
    { baseUrl: 'https://import.example.com' },
    { name: 'Bad pointer', baseUrl: 'https://import.example.com', contract: { fileTask: { taskId: 'taskId' } } },
  ];
  const open = useWorkbench(
    () => ({
      files: {
        'docs/page.txt': 'page\n',
        'notes.txt': 'notes\n',
        '.vscode/settings.json': JSON.stringify({
          'datasetImport.datasets': [
            { name: 'First', baseUrl: elsewhere.url },
            { name: 'Trap', baseUrl: elsewhere.url },
          ],
          'datasetImport.sandbox.startAutomatically': true,
        }),
      },
      settings: {
        'workbench.editor.useModal': 'off',
        'datasetImport.duplicates': 'import',
        'datasetImport.datasets': [
          { name: 'First', baseUrl: first.url },
          ...broken,
          { name: 'Second', baseUrl: second.url },
        ],
      },
    }),
    async (opened) => {
      settings = readFileSync(settingsFile(opened), 'utf8');
    },
  );
  afterEach(() => open().workbench.notifications.clear());

  const keyOf = (request: ReceivedRequest | undefined) => request && header(request, 'Access-Key');
  const next = (service: ScriptedService, since: number) =>
    waitUntil('the import to arrive', async () => service.imports[since]);
  const importNotes = () => open().workbench.explorer.chooseFor('Import to Dataset…', 'notes.txt');

  async function restoreSettings(): Promise<void> {
    await editSettings(open(), settings);
    await open().workbench.openContainer('Dataset Import');
    const isBack = ({ description }: TreeRow) => description.endsWith(first.host);
    await open().workbench.view('Datasets').waitForRow('First', isBack);
  }

  /** Has imports go to this dataset without asking for any, and without asking for its key where one is given. */
  async function makeDefault(name: 'First' | 'Second', key?: string): Promise<void> {
    const { workbench } = open();
    if (key !== undefined) await giveKey(open(), name, key);
    await workbench.runCommand('Dataset Import: Select Default Dataset…');
    await workbench.quickInput.waitFor('Select a dataset');
    await workbench.quickInput.pick(name);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').waitForRow(name, ({ description }) => description.startsWith('default · '));
  }

  it('are listed with their hosts; entries that cannot be used are named, and nothing comes of the workspace', async () => {
    const { workbench } = open();
    const told = await workbench.notifications.waitFor("Dataset 'With a user' in the settings cannot be used");
    assert.match(await told.text(), /must not contain a user name/);
    assert.match(await told.text(), /'#3'/);
    assert.match(await told.text(), /'Bad pointer'.*contract\.fileTask\.taskId/);
    await workbench.openContainer('Dataset Import');
    const datasets = workbench.view('Datasets');
    await datasets.waitForRow('First', ({ description }) => description === `no access key · ${first.host}`);
    await datasets.waitForRow('Second', ({ description }) => description === `no access key · ${second.host}`);
    // A mistake in a part of its contract keeps no dataset from being used.
    await datasets.waitForRow('Bad pointer', ({ description }) => description === 'no access key · import.example.com');
    for (const name of ['With a user', '#3']) {
      await datasets.waitForRow(name, ({ description }) => description === 'cannot be used');
    }
    const rows = (await datasets.rows()).map(({ label, description }) => [label, description]);
    assert.deepEqual(rows.at(-1), ['Bad pointer', 'has an error']);
    assert.equal(rows.length, 6);
    await told.click('Open Dataset Settings');
    await workbench.editors.waitForActive('settings.json');
    await workbench.editors.waitForText((text) => text.includes('"datasetImport.datasets": ['));
    assert.equal(await workbench.page.locator('.tab.dirty').count(), 0, 'looking at the settings has changed them');
  });

  it('are asked for at an import, and each gets its own key', async () => {
    const { workbench } = open();
    for (const [name, service, key] of [
      ['First', first, firstKey],
      ['Second', second, secondKey],
    ] as const) {
      const since = service.imports.length;
      await importNotes();
      await workbench.quickInput.waitFor('Select a dataset');
      const labels = (await workbench.quickInput.rows()).map(({ label }) => label);
      // The one used last comes first.
      assert.deepEqual(labels.slice(0, 3), ['First', 'Bad pointer', 'Second']);
      assert.deepEqual(labels.slice(3), ['Add Dataset…']);
      await workbench.quickInput.pick(name);
      assert.match(await workbench.quickInput.waitFor(`Access Key of '${name}'`), new RegExp(service.url));
      await workbench.quickInput.type(key);
      await workbench.quickInput.accept();
      assert.equal(keyOf(await next(service, since)), key);
      await workbench.saysInStatusBar(`Uploaded 'notes.txt' to ${name}.`);
      await workbench.notifications.clear();
    }
  });

  it('are asked for no more once the choice is remembered', async () => {
    const { workbench } = open();
    const since = second.imports.length;
    await giveKey(open(), 'Second', secondKey);
    await importNotes();
    await workbench.quickInput.waitFor('Select a dataset');
    // By the keyboard alone: past the list to the button of the row that has the focus.
    await workbench.quickInput.waitForActive('Second');
    await workbench.page.keyboard.press('Tab');
    await workbench.page.keyboard.press('Tab');
    const button = workbench.page.getByRole('button', { name: 'Select and Remember for This Workspace' });
    await waitUntil(
      'the button to have the focus',
      async () => (await button.first().evaluate((one) => one.matches(':focus'))) || undefined,
    );
    await workbench.page.keyboard.press('Enter');
    await next(second, since);
    await workbench.saysInStatusBar("Uploaded 'notes.txt' to Second.");
    await importNotes();
    await next(second, since + 1);
  });

  it('get what is dropped on their row, and what is picked from its menu, though another one is the default', async () => {
    const { workbench, workspaceFolder } = open();
    await giveKey(open(), 'Second', secondKey);
    await makeDefault('First', firstKey);
    const [sinceFirst, since] = [first.imports.length, second.imports.length];
    await workbench.dragToView('notes.txt', 'Dataset Import', 'Datasets', 'Second');
    assert.equal(keyOf(await next(second, since)), secondKey);
    await workbench.saysInStatusBar("Uploaded 'notes.txt' to Second.");
    const datasets = workbench.view('Datasets');
    await datasets.chooseFor('Import Files Here…', 'Second');
    await workbench.quickInput.pickPath("Import Files to 'Second'", join(workspaceFolder, 'notes.txt'));
    await next(second, since + 1);
    await datasets.chooseFor('Import Folder Here…', 'Second');
    await workbench.quickInput.pickPath("Import Folder to 'Second'", join(workspaceFolder, 'docs'));
    await workbench.quickInput.waitFor(/Import 1 file \(.*\) to Second/);
    await workbench.quickInput.accept();
    await next(second, since + 2);
    await workbench.saysInStatusBar("Uploaded 'page.txt' to Second.");
    assert.equal(first.imports.length, sinceFirst);
  });

  it('do not send a key to another origin than the one it was entered for', async () => {
    const { workbench } = open();
    const since = first.imports.length;
    await makeDefault('First', firstKey);
    await editSettings(open(), settings.replace(first.url, elsewhere.url));
    await workbench.view('Datasets').waitForRow('First', ({ description }) => description.includes(elsewhere.host));
    await importNotes();
    const prompt = await workbench.quickInput.waitFor("Access Key of 'First'");
    assert.ok(prompt.includes(`sent only to ${elsewhere.url}.`), prompt);
    await workbench.quickInput.cancel();
    await restoreSettings();
    await importNotes();
    assert.equal(keyOf(await next(first, since)), firstKey);
    await workbench.saysInStatusBar("Uploaded 'notes.txt' to First.");
    assert.deepEqual(elsewhere.requests, []);
  });

  it('go from settings.json when removed, and all else there stays as it was to the byte', async () => {
    const { workbench } = open();
    const list = /"datasetImport\.datasets": \[[\s\S]*?\n {2}\]/;
    const commented = settings.replace(list, (text) => `// kept by hand\n\t"files.eol":   "\\n", /* odd */\n  ${text}`);
    await editSettings(open(), commented);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').chooseFor('Remove Dataset…', 'First');
    await workbench.dialog.waitFor("Remove dataset 'First' and its access key from VS Code?");
    await workbench.dialog.click('Remove Dataset');
    const left = await waitUntil('the entry to go', async () => {
      const text = readFileSync(settingsFile(open()), 'utf8');
      return text.includes(first.url) || !text.endsWith('}') ? undefined : text;
    });
    assert.deepEqual(left.split(list), commented.split(list));
    const entries = JSON.parse(`{${list.exec(left)?.[0] ?? ''}}`) as Record<string, unknown>;
    assert.deepEqual(entries['datasetImport.datasets'], [...broken, { name: 'Second', baseUrl: second.url }]);
    await waitUntil('the row to go', async () => {
      const rows = await workbench.view('Datasets').rows();
      return rows.some(({ label }) => label === 'First') ? undefined : true;
    });
    await restoreSettings();
  });
});
