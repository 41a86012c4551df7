import assert from 'node:assert/strict';
import { importFile } from './importFile';
import { rejected, ScriptedService, value } from './scriptedService';
import { setAccessKey } from './setAccessKey';
import { hasState, type TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';
import { Workbench } from './workbench';

describe('In the Tasks view,', () => {
  const linkName = '[x](command:datasetImport.showLog).txt';
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: {
        'first.txt': 'first\n',
        'second.txt': 'second\n',
        'third.txt': 'third\n',
        [linkName]: 'linked\n',
        'rejected.txt': 'rejected\n',
        'shared.txt': 'shared\n',
      },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    async (opened) => {
      const { workbench } = opened;
      await setAccessKey(opened, 'Manuals', 'tasks-view-key-0123456789');
      service.fileTask = ({ body }) =>
        body.includes('third.txt')
          ? rejected('4001', 'No, "thanks"')
          : value(`{"taskId":900719925474099312${service.imports.length}}`);
      for (const name of ['first.txt', 'second.txt']) await importFile(workbench, name);
      await importFile(workbench, 'third.txt', 'rejected');
      await workbench.notifications.clear();
    },
  );
  afterEach(() => open().workbench.notifications.clear());
  const tasks = () => open().workbench.view('Tasks');

  it('commands apply to the clicked and selected rows, and Delete to the focused row', async () => {
    const { workbench, page } = open();
    await tasks().chooseFor('Remove from List', 'first.txt', 'second.txt');
    await tasks().waitForRows((rows) => rows.length === 1);
    await (await workbench.notifications.waitFor('Removed from the list: 2.')).click('Undo');
    await tasks().waitForRow('second.txt');
    await tasks().select('third.txt');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await tasks().waitForRows((rows) => rows.map(({ label }) => label).join() === 'third.txt,first.txt');
  });

  it('the user can filter rows and open details with the keyboard, and change the filter from the title bar', async () => {
    const { workbench, page } = open();
    const { quickInput, editors } = workbench;
    await workbench.runCommand('Dataset Import: Focus on Tasks View');
    await page.keyboard.press('ControlOrMeta+Alt+f');
    await quickInput.waitFor('Filter Tasks');
    await quickInput.type('third');
    await quickInput.pick("Contains 'third'");
    await tasks().waitForRows((rows) => rows.map(({ label }) => label).join() === 'third.txt');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await editors.waitForText((text) => text.startsWith('third.txt\nRejected'));
    await tasks().clickTitleAction('Filter Tasks…');
    await quickInput.pick('Show All');
    await tasks().waitForRow('first.txt');
  });

  it('tooltips and messages show text from a service verbatim, never as markup or links', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    const message =
      '<b>No room</b> *left* `in` $(flame) [here](command:workbench.action.terminal.new) [or](https://a.example)';
    service.fileTask = () => rejected('4711', message);
    await importFile(workbench, 'rejected.txt', 'rejected');
    const notification = await workbench.notifications.waitFor(
      /'rejected\.txt' at Manuals: Rejected · code 4711: <b>No room/,
    );
    const shown = (await notification.text()).replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '');
    assert.equal(shown, `'rejected.txt' at Manuals: Rejected · code 4711: ${message}`);
    assert.deepEqual(await notification.links(), []);
    const tooltip = await tasks.tooltip('rejected.txt');
    assert.ok(tooltip.includes(`code 4711: ${message}`), tooltip);
    assert.deepEqual(await tasks.linksInTooltip('rejected.txt'), []);

    const link = linkName.replace('.txt', '');
    service.fileTask = () => value('{"taskId":"linked"}');
    service.queryTask = () => value(JSON.stringify({ status: link, message: `<${link}> https://a.example` }));
    await importFile(workbench, linkName, 'status not recognized');
    const unknown = await tasks.tooltip(linkName);
    assert.ok(unknown.includes(`'${link}'`), unknown);
    assert.deepEqual(await tasks.linksInTooltip(linkName), []);
    // The message asking what the status means stays open until the status is recognized.
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await tasks.waitForRow(linkName, hasState('succeeded'));
  });

  it('two windows show the same row until one of the windows removes it', async () => {
    const { workbench, page } = open();
    // In a browser, VS Code reads secrets only when a window opens.
    const otherPage = await page.context().newPage();
    const other = new Workbench(otherPage);
    await otherPage.goto(page.url());
    await other.ready();
    await other.openContainer('Dataset Import');
    await page.bringToFront();
    service.fileTask = () => value('{"taskId":"shared"}');
    service.queryTask = () => value('{"status":"RUNNING","progress":37}');
    await workbench.explorer.chooseFor('Import to Dataset…', 'shared.txt');
    await other.view('Tasks').waitForRow('shared.txt', hasState('running 37%'));
    await workbench.openContainer('Dataset Import');
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    for (const window of [workbench, other]) await window.view('Tasks').waitForRow('shared.txt', hasState('succeeded'));
    await workbench.view('Tasks').chooseFor('Remove from List', 'shared.txt');
    const isRemoved = (rows: readonly TreeRow[]) => !rows.some(({ label }) => label === 'shared.txt');
    for (const window of [workbench, other]) await window.view('Tasks').waitForRows(isRemoved);
    await otherPage.close();
  });
});
