import assert from 'node:assert/strict';
import { BatchPage } from './batchPage';
import { rejected, ScriptedService, value } from './scriptedService';
import { setAccessKey } from './setAccessKey';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('The batch page', () => {
  const service = ScriptedService.duringTests();
  const names = Array.from({ length: 30 }, (_, index) => `chapter ${index + 1}.md`);
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(names.map((name) => [`handbook/${name}`, `# ${name}\n`])),
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => setAccessKey(opened, 'Manuals', 'batch-page-key-0123456789'),
  );

  it('shows results, problems and next steps, and updates automatically', async () => {
    const { workbench, page } = open();
    const tasks = workbench.view('Tasks');
    let rejects = true;
    service.fileTask = ({ body }) => {
      const [, number] = /filename="\D*(\d+)/.exec(body.toString()) ?? [];
      if (rejects && Number(number) % 10 === 7) return rejected('4103', `Row ${number}: <b>no title</b>`);
      return value(`{"taskId":"task-${number}"}`);
    };
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await workbench.explorer.chooseFor('Import to Dataset…', 'handbook');
    await workbench.quickInput.waitFor('Import to Manuals: 30 of 30');
    await workbench.quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('handbook', ({ description }) => description.startsWith('rejected: 3 · succeeded: 27'));
    await workbench.notifications.clear();
    await tasks.chooseFor('Show Batch', 'handbook');
    const shown = new BatchPage(page);
    await shown.part('page').getByText('Succeeded: 27 of 30. Needing your attention: 3.').waitFor();
    await shown.frame.getByRole('img', { name: 'rejected: 3, succeeded: 27' }).waitFor();
    await shown.frame.getByRole('img', { name: /^Uploaded: 27 of 30, finished: 27, within \d+ s$/ }).waitFor();

    const tree = await shown.frame.locator('main').ariaSnapshot();
    for (const part of [
      /heading "handbook" \[level=1\]/,
      /button "Retry Failed"/,
      /heading "Problems" \[level=2\]/,
      /columnheader "Result"/,
    ])
      assert.match(tree, part);

    // Clicking a file name opens its details.
    await shown.button('chapter 7.md').click();
    await workbench.editors.waitForText((text) => text.includes('Row 7: <b>no title</b>'));
    await tasks.chooseFor('Show Batch', 'handbook');

    rejects = false;
    await shown.button('Retry Failed').focus();
    await page.keyboard.press('Enter');
    await shown.part('page').getByText('Succeeded: 30 of 30.').waitFor();
    assert.equal(await shown.button('Retry Failed').count(), 0);
    await waitUntil('the page to list both imports', async () => {
      return (await shown.part('page').getByRole('rowheader', { name: /\d:\d/ }).count()) >= 2 || undefined;
    });
  });
});
