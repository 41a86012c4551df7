import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { refused, ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';

describe('An import that does not go well', () => {
  const linkName = '[x](command:datasetImport.chooseStatusMeaning).txt';
  let service: ScriptedService;
  before(async () => {
    service = await ScriptedService.start();
  });
  after(() => service.close());
  const open = useWorkbench(
    () => ({
      files: { 'later.txt': 'two\n', [linkName]: 'linked\n', 'refused.txt': 'four\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'first-key-0123456789'),
  );
  afterEach(() => open().workbench.notifications.clear());

  it('waits where nothing listens, says so, and goes once there is somebody', async () => {
    const { workbench } = open();
    const { port, host } = service;
    await service.close();
    await workbench.explorer.chooseFor('Import to Dataset…', 'later.txt');
    await workbench.openContainer('Dataset Import');
    const tasks = workbench.view('Tasks');
    await tasks.waitForRow('later.txt', ({ spoken }) => spoken.startsWith(`cannot reach ${host}, retrying`));
    const label = `Dataset Import: Importing 1 of 1: cannot reach ${host}, retrying in`;
    await workbench.page.locator(`.statusbar-item a[aria-label^="${label}"]`).waitFor();
    const told = await workbench.notifications.waitFor(
      `${host} refused the connection. Check that the service is running. The imports to Manuals are paused`,
    );
    assert.equal(await told.severity(), 'warning');
    service = await ScriptedService.startAgain(port);
    await told.click('Try Now');
    await workbench.saysInStatusBar("Uploaded 'later.txt' to Manuals.");
    await tasks.waitForRow('later.txt', ({ spoken }) => spoken.startsWith('succeeded'));
    assert.equal((await tasks.rows()).filter(({ label }) => label === 'later.txt').length, 1);
  });

  it("shows the service's code and message word for word, never as markup", async () => {
    const { workbench } = open();
    const message =
      '<b>No room</b> *left* `in` $(flame) [here](command:workbench.action.terminal.new) [or](https://a.example)';
    service.fileTask = () => refused('4711', message);
    await workbench.explorer.chooseFor('Import to Dataset…', 'refused.txt');
    const told = await workbench.notifications.waitFor(/Manuals rejected 'refused\.txt': code 4711: <b>No room/);
    const shown = (await told.text()).replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '');
    assert.equal(shown, `Manuals rejected 'refused.txt': code 4711: ${message}`);
    assert.deepEqual(await told.links(), [], 'a link of the service could be clicked');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('refused.txt', ({ spoken }) => spoken.startsWith('rejected'));
    const tooltip = await workbench.view('Tasks').tooltip('refused.txt');
    assert.ok(tooltip.includes(`code 4711: ${message}`), tooltip);
    assert.deepEqual(await workbench.view('Tasks').linksInTooltip('refused.txt'), []);
  });

  it('has no link in its tooltip, whatever its file, status and message are called', async () => {
    const { workbench } = open();
    const link = linkName.replace('.txt', '');
    service.fileTask = () => value('{"taskId":"linked"}');
    service.queryTask = () => value(JSON.stringify({ status: link, message: `<${link}> https://a.example` }));
    await workbench.explorer.chooseFor('Import to Dataset…', linkName);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow(linkName, ({ spoken }) => spoken.startsWith('status '));
    const tooltip = await workbench.view('Tasks').tooltip(linkName);
    assert.ok(tooltip.includes(`'${link}'`) && tooltip.includes(`<${link}> https://a.example`), tooltip);
    assert.deepEqual(await workbench.view('Tasks').linksInTooltip(linkName), []);
  });
});
