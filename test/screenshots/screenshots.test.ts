import { join } from 'node:path';
import { giveKey } from '../e2e/giveKey';
import { refused, ScriptedService, value } from '../e2e/scriptedService';
import { useWorkbench } from '../e2e/useWorkbench';
import { projectFolder } from '../suites/project';
import { takePictures } from './takePictures';

describe('The looks, in screenshots for people', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(() => ({
    workspace: join(projectFolder, 'test', 'workspace'),
    files: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`docs/page-${index}.txt`, `page ${index}\n`])),
    settings: {
      'datasetImport.datasets': [
        { name: 'Manuals', baseUrl: service.url },
        { name: 'Broken', baseUrl: 'ftp://import.example.com' },
      ],
      'window.autoDetectColorScheme': true,
    },
  }));

  const picture = (name: string, bring?: () => Promise<unknown>) => takePictures(open(), name, bring);

  it('of welcome, key, messages, rows in every state, tooltip, question and answer', async () => {
    const { workbench } = open();
    const { explorer, notifications, quickInput, dialog, editors } = workbench;
    const tasks = workbench.view('Tasks');
    const isIn = (state: string) => (row: { spoken: string }) => row.spoken.startsWith(state);
    await workbench.openContainer('Dataset Import');
    await tasks.waitForWelcome(/./);
    await notifications.waitFor("Dataset 'Broken'");
    await picture('welcome');
    await notifications.clear();
    await explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await quickInput.waitFor('Access Key of');
    await picture('access-key');
    await quickInput.type('a-key-0123456789');
    await quickInput.accept();
    await notifications.waitFor("Uploaded 'notes.txt'");
    await picture('accepted');
    await notifications.clear();
    for (const [name, response] of [
      ['library.csv', refused('4711', 'The quota of this dataset is used up; ask its owner for more room.')],
      ['questions.jsonl', { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' }],
      ['welcome.md', value('{"reference":"no id here"}')],
    ] as const) {
      service.fileTask = () => response;
      await explorer.chooseFor('Import to Dataset…', name);
      await notifications.waitFor(new RegExp(`(?:rejected|import of|Uploaded) '${name}'`));
      await notifications.waitForCount(1);
      await picture(`message-${name.replace(/\..*/, '')}`);
      await notifications.clear();
    }
    service.fileTask = () => value('{"taskId":9007199254740993123}');
    service.queryTask = () => value('{"status":"RUNNING","progress":42}');
    await explorer.chooseFor('Import to Dataset…', '读书会记录.txt');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('读书会记录.txt', isIn('running'));
    await workbench.view('Datasets').expand('Manuals');
    await workbench.view('Datasets').waitForRow('Webhook');
    await notifications.clear();
    await picture('rows');
    await picture('tooltip', () => tasks.tooltip('questions.jsonl'));
    await picture('tooltip-link', () => tasks.tooltip('welcome.md'));
    await workbench.page.mouse.move(800, 400);
    await tasks.chooseFor('Show Last Response', 'library.csv');
    await editors.waitForText((text) => text.includes('4711'));
    await picture('answer');
    await tasks.chooseFor('Remove from List', 'welcome.md', 'library.csv');
    await dialog.waitFor('Remove 2 tasks from the list?');
    await picture('question');
    await dialog.click('Cancel');
  });

  it('of a folder: what is asked before, how far it is, its end, and what was imported before', async () => {
    const { workbench } = open();
    const { explorer, notifications, quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    await giveKey(open(), 'Manuals', 'a-key-0123456789');
    for (const stalls of [true, false]) {
      service.fileTask = (request) =>
        request.body.includes('page 7\n')
          ? refused('4711', 'not this one')
          : value(`{"taskId":"t-${service.imports.length}"}`);
      service.stallsUploads = stalls;
      await explorer.chooseFor('Import to Dataset…', 'docs');
      if (!stalls) {
        await quickInput.waitFor('Import 52 of 60 files');
        await quickInput.tick('Unconfirmed');
      }
      await quickInput.waitFor('Import 60 files');
      await picture('batch-question');
      await quickInput.accept();
      await workbench.openContainer('Dataset Import');
      if (stalls) {
        await tasks.waitForRow('docs', ({ description }) => description.startsWith('importing 1 of 60 · '));
        await picture('batch-sending');
        await tasks.clickTitleAction('Cancel All Imports');
        await notifications.waitFor('The import was canceled.');
        await picture('batch-canceled');
      } else {
        await notifications.waitFor('Uploaded 59 of 60 files to Manuals. 1 file was rejected.');
        await picture('batch-ended');
      }
      await notifications.clear();
    }
    await explorer.chooseFor('Import to Dataset…', 'docs');
    await quickInput.waitFor('Import 0 of 60 files');
    await picture('batch-duplicates');
    await quickInput.cancel();
  });
});
