import { giveKey } from '../e2e/giveKey';
import { refused, ScriptedService, value } from '../e2e/scriptedService';
import { useWorkbench } from '../e2e/useWorkbench';
import { takePictures } from './takePictures';

describe('The looks of what is mapped, in screenshots for people', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(['notes.txt', 'welcome.md', 'library.csv'].map((name) => [name, `text of ${name}\n`])),
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'window.autoDetectColorScheme': true,
      },
    }),
    (opened) => giveKey(opened, 'Manuals', 'a-key-0123456789'),
  );
  const picture = (name: string, bring?: () => Promise<unknown>) => takePictures(open(), name, bring);

  it('of what a service is asked and understood by: picks, rules, statuses, several tasks, a connection', async () => {
    const { workbench } = open();
    const { explorer, notifications, quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    service.fileTask = () => value('{"taskIds":[1,2]}');
    service.queryTask = ({ body }) =>
      value(body.includes('1') ? '{"taskId":1,"status":"DONE"}' : '{"taskId":2,"status":"RUNNING"}');
    await explorer.chooseFor('Import to Dataset…', 'welcome.md');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('welcome.md', ({ description }) => description.includes('1 of 2'));
    await notifications.clear();
    await picture('several', () => tasks.tooltip('welcome.md'));
    await workbench.page.mouse.move(800, 400);
    service.queryTask = () => refused('1003', 'There is no such task.');
    await workbench.view('Datasets').clickInline('Test Connection', 'Manuals');
    await notifications.waitFor('Connected to Manuals.');
    await picture('connection');
    await notifications.clear();
    service.fileTask = () => refused('4001', 'parameter datasetCode is required');
    await explorer.chooseFor('Import to Dataset…', 'library.csv');
    await (await notifications.waitFor("rejected 'library.csv'")).click('Edit Request and Retry…');
    await quickInput.waitFor("Form Field 'datasetCode'");
    await picture('pick-field');
    await quickInput.cancel();
    await quickInput.waitFor('Select what to change');
    await picture('pick-part');
    await quickInput.cancel();
    await notifications.clear();
    service.fileTask = () => value('{"job":{"number":"J-1"},"see":"/jobs/88b/view?x=1"}');
    service.queryTask = () => value('{"job":{"finished":false,"success":null,"finishedAt":null},"left":3,"of":10}');
    await explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('notes.txt', ({ description }) => description.includes('task ID not'));
    await notifications.waitFor('the task ID?');
    await picture('suggested-id');
    await notifications.clear();
    await tasks.chooseFor('Map Responses > Choose the Task ID…', 'notes.txt');
    await quickInput.waitFor('Task ID in');
    await picture('pick-id');
    await quickInput.pick('J-1');
    await tasks.waitForRow('notes.txt', ({ spoken }) => spoken.startsWith('status not'));
    await notifications.clear();
    await tasks.chooseFor('Map Responses > Choose the Status…', 'notes.txt');
    await quickInput.waitFor('Status in');
    await picture('pick-status');
    await quickInput.cancel();
    service.queryTask = () => value('{"status":"INDEXING_2"}');
    await tasks.chooseFor('Check Task Status Now', 'notes.txt');
    await notifications.waitFor('INDEXING_2');
    await picture('status-message');
    await notifications.clear();
    await tasks.chooseFor('Map Responses > Map Statuses…', 'notes.txt');
    await quickInput.waitFor('mean');
    await picture('pick-meanings');
    await quickInput.cancel();
    await workbench.view('Datasets').chooseFor('Map Responses…', 'Manuals');
    await quickInput.waitFor('Select how to read');
    await picture('map-responses');
    await quickInput.cancel();
  });
});
