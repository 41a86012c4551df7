import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { type ReceivedRequest, refused, ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';

describe('Many tasks in the view', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`docs/page-${index}.txt`, `page ${index}\n`])),
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'arranging-key-0123456789'),
  );
  const tasks = () => open().workbench.view('Tasks');
  const labels = async () => (await tasks().rows()).map(({ label }) => label);

  it('are filtered from the title of the view, which shows that, until the filter is cleared there', async () => {
    const { workbench } = open();
    const isBad = ({ body }: ReceivedRequest) => body.includes('page 2\n');
    service.fileTask = (request) =>
      isBad(request) ? refused('4711', 'not this one') : value(`{"taskId":"task-${service.imports.length}"}`);
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await workbench.explorer.chooseFor('Import to Dataset…', 'docs');
    await workbench.quickInput.waitFor('Import 4 files');
    await workbench.quickInput.accept();
    await workbench.notifications.waitFor('Uploaded 3 of 4 files to Manuals. 1 file was rejected.');
    await workbench.notifications.clear();
    await workbench.openContainer('Dataset Import');
    await tasks().waitForRow('docs', ({ description }) => description.startsWith('1 rejected · 3 succeeded'));
    // A small group is open from the start, what needs the user first.
    await tasks().waitForRow('page-0.txt');
    assert.deepEqual(await labels(), ['docs', 'page-2.txt', 'page-0.txt', 'page-1.txt', 'page-3.txt']);

    await tasks().clickTitleAction('Filter Tasks…');
    await workbench.quickInput.waitFor('Filter Tasks');
    await workbench.quickInput.pick('Problems');
    await tasks().waitForRows((rows) => rows.map(({ label }) => label).join() === 'docs,page-2.txt');
    await tasks().waitForTitle('Filter: problems');
    await tasks().clickTitleAction('Clear Task Filter');
    await tasks().waitForRow('page-0.txt');
    await tasks().clickTitleAction('Filter Tasks…');
    await workbench.quickInput.waitFor('Filter Tasks');
    await workbench.quickInput.type('nowhere');
    await workbench.quickInput.pick("Contains 'nowhere'");
    await tasks().waitForMessage('No tasks match the filter.');
    await tasks().clickTitleAction('Clear Task Filter');
    await tasks().waitForRow('page-0.txt');
  });

  it('are grouped as the user likes, in later windows too', async () => {
    const { workbench } = open();
    await workbench.runCommand('Dataset Import: Group Tasks By…');
    await workbench.quickInput.pick('Reason');
    await tasks().waitForRow('Code 4711: not this one', ({ description }) => description === '1 rejected');
    await tasks().waitForRow('No problems', ({ description }) => description === '3 succeeded');
    await workbench.runCommand('Dataset Import: Group Tasks By…');
    await workbench.quickInput.pick('State');
    await tasks().waitForRow('Rejected', ({ description }) => description === '1');
    await tasks().waitForRow('Succeeded', ({ description }) => description === '3');
    await tasks().expand('Rejected');
    await tasks().waitForRow('page-2.txt', ({ level }) => level === 2);
    await workbench.reload();
    await workbench.openContainer('Dataset Import');
    await tasks().waitForRow('Succeeded');
  });
});
