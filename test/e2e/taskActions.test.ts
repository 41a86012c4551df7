import assert from 'node:assert/strict';
import { refused, ScriptedService, taken } from './scriptedService';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe("A task's actions", () => {
  const longId = '9007199254740993123';
  let service: ScriptedService;
  before(async () => {
    service = await ScriptedService.start();
    service.fileTask = () => taken(`{"taskId":${longId}}`);
    service.queryTask = () => taken(`{"taskId":${longId},"status":"SUCCEEDED","lines":3}`);
  });
  after(() => service.close());
  const open = useWorkbench(() => ({
    files: { 'notes.txt': 'some notes\n', 'other.txt': 'others\n' },
    settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    theme: 'dark',
  }));
  afterEach(() => open().workbench.notifications.clear());

  it('begin with an import whose 19-digit id goes back to the service as the same number', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import File', 'notes.txt');
    await workbench.quickInput.response("Access-Key of dataset 'Manuals'", 'task-actions-key-0123');
    await workbench.notifications.waitFor(`'Manuals' accepted 'notes.txt' as task ${longId}.`);
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').waitForRow('notes.txt', ({ description }) => description.startsWith('succeeded'));
    assert.deepEqual(JSON.stringify(service.queries[0]), JSON.stringify(`{"taskId":${longId}}`));
  });

  it('Refresh asks the service once and shows what it says now', async () => {
    const { workbench } = open();
    const asked = service.queries.length;
    service.queryTask = () => taken('{"status":"FAILED","message":"line 3 is too long"}');
    await workbench.view('Tasks').clickInline('Refresh Task', 'notes.txt');
    await workbench.view('Tasks').waitForRow('notes.txt', ({ description }) => description.startsWith('failed'));
    assert.equal(service.queries.length, asked + 1);
    assert.match(await workbench.view('Tasks').tooltip('notes.txt'), /line 3 is too long/);
  });

  it('Refresh asks again by itself where no answer came', async () => {
    const { workbench } = open();
    const asked = service.queries.length;
    service.queryTask = () =>
      service.queries.length === asked + 1
        ? { status: 502, body: '<h1>Bad Gateway</h1>' }
        : taken('{"status":"PENDING_REVIEW"}');
    await workbench.view('Tasks').clickInline('Refresh Task', 'notes.txt');
    await workbench.view('Tasks').waitForRow('notes.txt', ({ description }) => description.includes('PENDING_REVIEW'));
    // What is said then is not the end, so the view asks on.
    assert.ok(service.queries.length >= asked + 2);
    service.queryTask = () => taken('{"status":"FAILED"}');
    await workbench.view('Tasks').waitForRow('notes.txt', ({ description }) => description.startsWith('failed'));
  });

  it('Refresh says so where it takes long, and can be cancelled', async () => {
    const { workbench } = open();
    service.queryTask = () => undefined;
    await workbench.view('Tasks').clickInline('Refresh Task', 'notes.txt');
    const waiting = await workbench.notifications.waitFor("Still asking about 'notes.txt'");
    await waiting.click('Cancel');
    await waiting.gone();
    assert.deepEqual(await workbench.notifications.texts(), []);
    await workbench.view('Tasks').waitForRow('notes.txt', ({ description }) => description.startsWith('failed'));
  });

  it('Copy Task ID gives every digit, and so does the tooltip', async () => {
    const { workbench } = open();
    await workbench.view('Tasks').chooseFor('Copy Task ID', 'notes.txt');
    await waitUntil('the id on the clipboard', async () => (await workbench.clipboard()) === longId || undefined);
    assert.match(await workbench.view('Tasks').tooltip('notes.txt'), new RegExp(`Task ID: ${longId}`));
  });

  it('Show Last Answer opens the JSON, read-only', async () => {
    const { workbench } = open();
    service.queryTask = () => taken(`{"taskId":${longId},"status":"SUCCEEDED","lines":3}`);
    await workbench.view('Tasks').chooseFor('Refresh Task', 'notes.txt');
    await workbench.view('Tasks').waitForRow('notes.txt', ({ description }) => description.startsWith('succeeded'));
    await workbench.view('Tasks').chooseFor('Show Last Answer', 'notes.txt');
    await workbench.editors.waitForActive(/notes\.txt.*\.json/);
    const expected = [
      '{',
      '  "code": "0",',
      '  "message": null,',
      '  "data": {',
      `    "taskId": ${longId},`,
      '    "status": "SUCCEEDED",',
      '    "lines": 3',
      '  }',
      '}',
    ].join('\n');
    await workbench.editors.waitForText((text) => text.trim() === expected);
    await workbench.editors.type('x');
    assert.equal((await workbench.editors.text()).trim(), expected);
  });

  it('Import Again imports the file of a task that the service has given up, and asks nothing', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    service.queryTask = () => taken('{"status":"FAILED"}');
    await tasks.chooseFor('Refresh Task', 'notes.txt');
    await tasks.waitForRow('notes.txt', ({ description }) => description.startsWith('failed'));
    service.queryTask = () => taken('{"status":"SUCCEEDED"}');
    await tasks.chooseFor('Import Again', 'notes.txt');
    await workbench.notifications.waitFor(`'Manuals' accepted 'notes.txt' as task ${longId}.`);
    const states = ['succeeded', 'failed'];
    await tasks.waitForRows(
      (rows) => rows.map(({ description }) => description.split(' ')[0]).join() === states.join(),
    );
  });

  it('the Delete key stops tracking what is selected, after a question', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await tasks.select('notes.txt');
    await workbench.page.keyboard.press('Delete');
    await workbench.dialog.waitFor("Stop tracking 'notes.txt'?");
    await workbench.dialog.click('Stop Tracking');
    await tasks.waitForRows((rows) => rows.length === 1);
  });

  it('Open Source File opens the file', async () => {
    const { workbench } = open();
    await workbench.view('Tasks').chooseFor('Open Source File', 'notes.txt');
    await workbench.editors.waitForActive(/^notes\.txt$/);
    await workbench.editors.waitForText((text) => text.includes('some notes'));
  });

  it('Stop Tracking asks first, and the row stays away over a reload', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await tasks.chooseFor('Stop Tracking', 'notes.txt');
    assert.match(await workbench.dialog.waitFor("Stop tracking 'notes.txt'?"), /The service keeps what it has/);
    await workbench.dialog.click('Cancel');
    await tasks.waitForRow('notes.txt');
    await tasks.chooseFor('Stop Tracking', 'notes.txt');
    await workbench.dialog.waitFor("Stop tracking 'notes.txt'?");
    await workbench.dialog.click('Stop Tracking');
    await tasks.waitForWelcome(/Nothing imported yet/);
    await workbench.reload();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForWelcome(/Nothing imported yet/);
  });

  it('Track Task by ID… follows a task with an id of letters', async () => {
    const { workbench } = open();
    await workbench.view('Tasks').clickWelcome('Track Task by ID…');
    await workbench.quickInput.waitFor("The ID of a task of dataset 'Manuals'");
    await workbench.quickInput.type('  ');
    await workbench.quickInput.waitFor('Enter the ID of a task.');
    await workbench.quickInput.type(' abc-1 ');
    await workbench.quickInput.accept();
    await workbench.view('Tasks').waitForRow('abc-1', ({ description }) => description.startsWith('succeeded'));
    assert.equal(service.queries.at(-1), '{"taskId":"abc-1"}');
  });

  it('Track Task by ID… asks whether digits are a number, and sends them so', async () => {
    const { workbench } = open();
    await workbench.runCommand('Dataset Import: Track Task by ID…');
    await workbench.quickInput.response("The ID of a task of dataset 'Manuals'", longId);
    await workbench.quickInput.waitFor('How does the service write this ID in its JSON?');
    await workbench.quickInput.pick(longId);
    await workbench.view('Tasks').waitForRow(longId, ({ description }) => description.startsWith('succeeded'));
    assert.equal(service.queries.at(-1), `{"taskId":${longId}}`);
  });

  it('an id that the service does not know is told, and shown by the row', async () => {
    const { workbench } = open();
    service.queryTask = () => refused('1003', 'There is no such task.');
    await workbench.runCommand('Dataset Import: Track Task by ID…');
    await workbench.quickInput.response("The ID of a task of dataset 'Manuals'", 'no-such-task');
    const told = await workbench.notifications.waitFor(
      /'no-such-task' could not be refreshed: code 1003: .*There is no such task\./,
    );
    assert.equal(await told.severity(), 'error');
    await workbench
      .view('Tasks')
      .waitForRow('no-such-task', ({ description }) => description.includes('refresh rejected'));
  });
});
