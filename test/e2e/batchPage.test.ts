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
      files: {
        ...Object.fromEntries(names.map((name) => [`handbook/${name}`, `# ${name}\n`])),
        'handbook/<img src=x onerror=alert(1)>.md': 'a hostile name\n',
        'handbook/diagram.png': 'none',
      },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => setAccessKey(opened, 'Manuals', 'batch-page-key-0123456789'),
  );

  it('shows results, problems and next steps, and updates automatically', async () => {
    const { workbench, page } = open();
    const tasks = workbench.view('Tasks');
    let rejects = true;
    service.fileTask = ({ body }) => {
      const fileName = /filename="([^"]+)"/.exec(body.toString())?.[1] ?? '';
      const number = /\d+/.exec(fileName)?.[0] ?? '0';
      if (rejects && Number(number) % 10 === 7) return rejected('4103', `Row ${number}: <b>no title</b>`);
      if (rejects && fileName.startsWith('<img')) return rejected('4104', 'The name is not allowed');
      return value(`{"taskId":"task-${fileName.startsWith('<') ? 'hostile' : number}"}`);
    };
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await workbench.explorer.chooseFor('Import to Dataset…', 'handbook');
    await workbench.quickInput.waitFor('Import to Manuals: 31 of 31');
    await workbench.quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('handbook', ({ description }) => description.startsWith('rejected: 4 · succeeded: 27'));
    await workbench.notifications.clear();
    await tasks.chooseFor('Show Batch', 'handbook');
    const shown = new BatchPage(page);
    await shown.part('page').getByText('Succeeded: 27 of 31. Needing your attention: 4.').waitFor();
    await shown.frame.getByRole('img', { name: 'rejected: 4, succeeded: 27' }).waitFor();
    await shown.frame.getByRole('img', { name: /^Uploaded: 27 of 31, finished: 27, within \d+ s$/ }).waitFor();
    const reasons = await shown.part('page').innerText();
    assert.match(reasons, /Rejected · code 4103: Row \d+: <b>no title<\/b>\s*3/);
    assert.match(reasons, /Rejected · code 4104: The name is not allowed\s*1/);
    assert.match(reasons, /\.png is not a listed file extension\s*1/);
    assert.equal(await shown.frame.locator('img').count(), 0);

    const tree = await shown.frame.locator('main').ariaSnapshot();
    for (const part of [
      /heading "handbook" \[level=1\]/,
      /status: "Succeeded: 27 of 31|status: Succeeded: 27 of 31/,
      /img "rejected: 4, succeeded: 27"/,
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
    await shown.part('page').getByText('Succeeded: 31 of 31.').waitFor();
    assert.equal(await shown.button('Retry Failed').count(), 0);
    await waitUntil('the page to list both imports', async () => {
      const rows = await shown.part('page').getByRole('rowheader', { name: /\d:\d/ }).count();
      return rows >= 2 || undefined;
    });
  });
});
