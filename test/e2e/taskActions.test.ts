import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { refused, ScriptedService, value } from './scriptedService';
import type { TreeRow, TreeView } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe("A task's actions", () => {
  const service = ScriptedService.duringTests();
  /** The id of the latest import. */
  const longId = () => String(9007199254740993123n + BigInt(service.imports.length));
  before(() => {
    service.fileTask = () => value(`{"taskId":${longId()}}`);
  });
  const files = [
    'notes',
    'copied',
    'shown',
    'again',
    'deleted',
    'opened',
    'kept',
    'stopped',
    'refreshed',
    'slow',
    'cleared',
    'failed',
    'linked',
    'selected',
  ];
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(files.map((name) => [`${name}.txt`, `some ${name}\n`])),
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
      theme: 'dark',
    }),
    (opened) => giveKey(opened, 'Manuals', 'task-actions-key-0123'),
  );
  beforeEach(() => {
    service.queryTask = ({ body }) => value(`{"taskId":${/\d+/.exec(body.toString())},"status":"SUCCEEDED","lines":3}`);
  });
  afterEach(() => open().workbench.notifications.clear());

  /** Imports the file and waits until its task has succeeded. */
  async function importFile(name: string): Promise<TreeView> {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    await workbench.explorer.chooseFor('Import to Dataset…', name);
    await workbench.saysInStatusBar(`Uploaded '${name}' to Manuals.`);
    await workbench.notifications.clear();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow(name, isIn('succeeded'));
    return tasks;
  }

  const isIn = (state: string) => (row: TreeRow) => row.spoken.startsWith(state);

  it('begin with an import whose 19-digit id goes back to the service as the same number', async () => {
    const asked = service.queries.length;
    await importFile('notes.txt');
    assert.equal(service.queries[asked], `{"taskId":${longId()}}`);
  });

  it('Check Task Status Now asks the service once and shows what it says now, and again by itself where no answer came', async () => {
    const tasks = await importFile('refreshed.txt');
    const asked = service.queries.length;
    service.queryTask = () => value('{"status":"FAILED","message":"line 3 is too long"}');
    await tasks.chooseFor('Check Task Status Now', 'refreshed.txt');
    await tasks.waitForRow('refreshed.txt', isIn('failed'));
    assert.match(await tasks.tooltip('refreshed.txt'), /line 3 is too long/);
    assert.equal(service.queries.length, asked + 1);
    service.queryTask = () =>
      service.queries.length === asked + 2
        ? { status: 502, body: '<h1>Bad Gateway</h1>' }
        : value('{"status":"PENDING_REVIEW"}');
    await tasks.chooseFor('Check Task Status Now', 'refreshed.txt');
    await tasks.waitForRow('refreshed.txt', ({ description }) => description.includes('PENDING_REVIEW'));
    // What is said then is not the end, so it is asked on.
    assert.ok(service.queries.length >= asked + 3);
    service.queryTask = () => value('{"status":"FAILED"}');
    await tasks.waitForRow('refreshed.txt', isIn('failed'));
  });

  it('Check Task Status Now says so where it takes long, and can be cancelled', async () => {
    const { workbench } = open();
    const tasks = await importFile('slow.txt');
    service.queryTask = () => undefined;
    await tasks.chooseFor('Check Task Status Now', 'slow.txt');
    const waiting = await workbench.notifications.waitFor("Checking the status of 'slow.txt'");
    await waiting.click('Cancel');
    await waiting.gone();
    assert.deepEqual(await workbench.notifications.texts(), []);
    await tasks.waitForRow('slow.txt', isIn('succeeded'));
  });

  it('are offered in its details, each a click away, and by Enter', async () => {
    const { workbench, page } = open();
    const tasks = await importFile('linked.txt');
    await tasks.select('linked.txt');
    await workbench.editors.clickLens('Open Source File');
    await workbench.editors.waitForActive(/^linked\.txt$/);
    await tasks.select('linked.txt');
    await workbench.editors.waitForText((text) => text.includes('Timeline'));
    await workbench.runCommand('View: Focus Active Editor Group');
    await page.keyboard.press('Enter');
    await workbench.quickInput.waitFor('Select what to do next');
    await workbench.quickInput.pick('Show Last Response');
    await workbench.editors.waitForActive('linked.txt (last response).json');
  });

  it('act on the selected rows where VS Code passes none', async () => {
    const { workbench } = open();
    const tasks = await importFile('selected.txt');
    await tasks.select('selected.txt');
    await workbench.runCommand('Dataset Import: Open Source File');
    await workbench.editors.waitForActive(/^selected\.txt$/);
  });

  it('Copy Task ID gives every digit, and so does the tooltip', async () => {
    const { workbench } = open();
    const tasks = await importFile('copied.txt');
    await tasks.chooseFor('Copy Task ID', 'copied.txt');
    await waitUntil('the id on the clipboard', async () => (await workbench.clipboard()) === longId() || undefined);
    assert.match(await tasks.tooltip('copied.txt'), new RegExp(`Task ID: ${longId()}`));
  });

  it('Show Last Response opens the JSON, read-only', async () => {
    const { workbench } = open();
    const tasks = await importFile('shown.txt');
    await tasks.chooseFor('Show Last Response', 'shown.txt');
    await workbench.editors.waitForActive(/shown\.txt.*\.json/);
    const expected = [
      '{',
      '  "code": "0",',
      '  "message": null,',
      '  "data": {',
      `    "taskId": ${longId()},`,
      '    "status": "SUCCEEDED",',
      '    "lines": 3',
      '  }',
      '}',
    ].join('\n');
    await workbench.editors.waitForText((text) => text.trim() === expected);
    await workbench.editors.type('x');
    assert.equal((await workbench.editors.text()).trim(), expected);
  });

  it('Import Again imports the file of a task that the service has given up, in its row, and asks nothing', async () => {
    const { workbench } = open();
    const tasks = await importFile('again.txt');
    service.queryTask = () => value('{"status":"FAILED"}');
    await tasks.chooseFor('Check Task Status Now', 'again.txt');
    await tasks.waitForRow('again.txt', isIn('failed'));
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await tasks.chooseFor('Import Again', 'again.txt');
    await workbench.saysInStatusBar("Uploaded 'again.txt' to Manuals.");
    await tasks.waitForRows((rows) => {
      const states = rows.filter(({ label }) => label === 'again.txt').map(({ spoken }) => spoken.split(',')[0]);
      return states.join() === 'succeeded';
    });
  });

  it('the Delete key removes what is selected from the list, at once', async () => {
    const { workbench } = open();
    const tasks = await importFile('deleted.txt');
    await tasks.select('deleted.txt');
    await workbench.page.keyboard.press('Delete');
    await workbench.notifications.waitFor("Removed 'deleted.txt' from the list. Nothing is deleted on the service.");
    await tasks.waitForRows((rows) => !rows.some(({ label }) => label === 'deleted.txt'));
  });

  it('Open Source File opens the file', async () => {
    const { workbench } = open();
    const tasks = await importFile('opened.txt');
    await tasks.chooseFor('Open Source File', 'opened.txt');
    await workbench.editors.waitForActive(/^opened\.txt$/);
    await workbench.editors.waitForText((text) => text.includes('some opened'));
  });

  it('Remove from List can be undone, and if it is not, the row stays away over a reload', async () => {
    const { workbench } = open();
    await importFile('kept.txt');
    const tasks = await importFile('stopped.txt');
    const isGone = (rows: readonly TreeRow[]) => !rows.some(({ label }) => label === 'stopped.txt');
    await tasks.chooseFor('Remove from List', 'stopped.txt');
    await tasks.waitForRows(isGone);
    const told = await workbench.notifications.waitFor("Removed 'stopped.txt' from the list.");
    await told.click('Undo');
    await tasks.waitForRow('stopped.txt');
    await tasks.chooseFor('Remove from List', 'stopped.txt');
    await tasks.waitForRows(isGone);
    await workbench.reload();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('kept.txt');
    assert.ok(isGone(await tasks.rows()));
  });

  it('Clear Finished Tasks removes what has succeeded, after a question, and nothing else', async () => {
    const { workbench } = open();
    const tasks = await importFile('failed.txt');
    service.queryTask = () => value('{"status":"FAILED"}');
    await tasks.chooseFor('Check Task Status Now', 'failed.txt');
    await tasks.waitForRow('failed.txt', isIn('failed'));
    service.queryTask = () => value('{"status":"SUCCEEDED"}');
    await importFile('cleared.txt');
    await workbench.runCommand('Dataset Import: Clear Finished Tasks');
    assert.match(await workbench.dialog.waitFor('succeeded from the list?'), /All other tasks stay/);
    await workbench.dialog.click('Clear Finished');
    await tasks.waitForRows((rows) => !rows.some(({ label }) => label === 'cleared.txt'));
    assert.ok((await tasks.rows()).some(({ label }) => label === 'failed.txt'));
  });

  it('Track Task by ID… follows a task with an id of letters', async () => {
    const { workbench } = open();
    service.queryTask = () => value('{"taskId":"abc-1","status":"SUCCEEDED"}');
    await workbench.openContainer('Dataset Import');
    await workbench.runCommand('Dataset Import: Track Task by ID…');
    await workbench.quickInput.waitFor("Enter the ID of a task of dataset 'Manuals'");
    await workbench.quickInput.type('  ');
    await workbench.quickInput.waitFor('Enter the ID of a task.');
    await workbench.quickInput.type(' abc-1 ');
    await workbench.quickInput.accept();
    await workbench.view('Tasks').waitForRow('abc-1', ({ spoken }) => spoken.startsWith('succeeded'));
    assert.equal(service.queries.at(-1), '{"taskId":"abc-1"}');
  });

  it('Track Task by ID… asks whether digits are a number, and sends them so', async () => {
    const { workbench } = open();
    const id = '9007199254740993555';
    service.queryTask = () => value(`{"taskId":${id},"status":"SUCCEEDED"}`);
    await workbench.openContainer('Dataset Import');
    await workbench.runCommand('Dataset Import: Track Task by ID…');
    await workbench.quickInput.answer("Enter the ID of a task of dataset 'Manuals'", id);
    await workbench.quickInput.waitFor('Select how the service writes this ID in JSON');
    await workbench.quickInput.pick(id);
    await workbench.view('Tasks').waitForRow(id, ({ spoken }) => spoken.startsWith('succeeded'));
    assert.equal(service.queries.at(-1), `{"taskId":${id}}`);
  });

  it('an id that the service does not know is told, and shown by the row', async () => {
    const { workbench } = open();
    service.queryTask = () => refused('1003', 'There is no such task.');
    await workbench.openContainer('Dataset Import');
    await workbench.runCommand('Dataset Import: Track Task by ID…');
    await workbench.quickInput.answer("Enter the ID of a task of dataset 'Manuals'", 'no-such-task');
    const told = await workbench.notifications.waitFor(
      /The status check of 'no-such-task' failed: code 1003: .*There is no such task\./,
    );
    assert.equal(await told.severity(), 'error');
    await workbench
      .view('Tasks')
      .waitForRow('no-such-task', ({ description }) => description.includes('status check rejected'));
  });
});
