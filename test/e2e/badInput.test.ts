import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { refused, ScriptedService, value } from './scriptedService';
import { isIn } from './treeView';
import { useWorkbench } from './useWorkbench';

describe('An import that runs into a problem', () => {
  const linkName = '[x](command:datasetImport.showLog).txt';
  let service: ScriptedService;
  before(async () => {
    service = await ScriptedService.start();
  });
  after(() => service.close());
  const open = useWorkbench(
    () => ({
      files: { 'later.txt': 'two\n', [linkName]: 'linked\n', 'rejected.txt': 'four\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'first-key-0123456789'),
  );
  afterEach(() => open().workbench.notifications.clear());

  it('is paused while the service cannot be reached, says so everywhere, and goes on with Try Now', async () => {
    const { workbench } = open();
    const { port, host } = service;
    await service.close();
    await workbench.explorer.chooseFor('Import to Dataset…', 'later.txt');
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('later.txt', isIn(`cannot reach ${host}, retrying`));
    const label = `Dataset Import: Importing 1 of 1: cannot reach ${host}, retrying in`;
    await workbench.page.locator(`.statusbar-item a[aria-label^="${label}"]`).waitFor();
    const told = await workbench.notifications.waitFor(`${host} refused the connection.`);
    assert.equal(await told.severity(), 'warning');
    service = await ScriptedService.startAgain(port);
    await told.click('Try Now');
    await tasks.waitForRow('later.txt', isIn('succeeded'));
    assert.equal((await tasks.rows()).filter(({ label }) => label === 'later.txt').length, 1);
  });

  it("shows the service's words exactly, and never as markup or links, in messages and tooltips", async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    const message =
      '<b>No room</b> *left* `in` $(flame) [here](command:workbench.action.terminal.new) [or](https://a.example)';
    service.fileTask = () => refused('4711', message);
    await workbench.explorer.chooseFor('Import to Dataset…', 'rejected.txt');
    const told = await workbench.notifications.waitFor(/Manuals rejected 'rejected\.txt': code 4711: <b>No room/);
    const shown = (await told.text()).replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '');
    assert.equal(shown, `Manuals rejected 'rejected.txt': code 4711: ${message}`);
    assert.deepEqual(await told.links(), []);
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('rejected.txt', isIn('rejected'));
    const rejected = await tasks.tooltip('rejected.txt');
    assert.ok(rejected.includes(`code 4711: ${message}`), rejected);
    assert.deepEqual(await tasks.linksInTooltip('rejected.txt'), []);

    const link = linkName.replace('.txt', '');
    service.fileTask = () => value('{"taskId":"linked"}');
    service.queryTask = () => value(JSON.stringify({ status: link, message: `<${link}> https://a.example` }));
    await workbench.explorer.chooseFor('Import to Dataset…', linkName);
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow(linkName, isIn('status '));
    const unknown = await tasks.tooltip(linkName);
    assert.ok(unknown.includes(`'${link}'`) && unknown.includes(`<${link}> https://a.example`), unknown);
    assert.deepEqual(await tasks.linksInTooltip(linkName), []);
  });
});
