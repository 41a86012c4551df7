import assert from 'node:assert/strict';
import { commands, env } from 'vscode';
import { COMMANDS } from '../../../src/editor/commands';
import { typedTaskId } from '../../../src/service/json/taskId';
import { fileOf } from '../../unit/tasks/store/storeRequests';
import { activated, type Engine, extension } from '../activated';
import { until } from '../until';

const TASKS_VIEW = 'datasetImport.tasks';
const PASSED = 'datasetImport.test.notePassed';

/** No window uploads to this dataset or checks its tasks, so its rows never change. */
const DESTINATION = { dataset: 'Removed', origin: 'https://removed.example' };
/** The newest row comes first. */
const NAMES = ['alpha', 'bravo', 'charlie'];

// Runs the commands through VS Code, because their arguments depend on where the user runs them.
describe('With multiple rows in the Tasks view,', () => {
  let engine: Engine;
  let files: Map<string, number>;
  let passed: unknown;
  const registration = commands.registerCommand(PASSED, (element: unknown) => {
    passed = element;
  });

  before(async () => {
    engine = await activated();
  });

  beforeEach(async () => {
    files = new Map();
    for (const name of NAMES.toReversed()) {
      const id = typedTaskId(name, 'string');
      files.set(name, await engine.store.track({ destination: DESTINATION, id, name: `${name}.txt` }));
    }
    await untilDrawn(handleOf('alpha'));
  });

  afterEach(async () => {
    await engine.store.remove({});
    await commands.executeCommand('notifications.clearAll');
  });

  after(async () => {
    registration.dispose();
    await commands.executeCommand('workbench.view.explorer');
  });

  it('a command applies only to the clicked row if that row is not selected', async () => {
    await select('bravo');
    await run('copyTaskId', handleOf('alpha'), null);
    assert.equal(await env.clipboard.readText(), 'alpha');
  });

  it('a command applies to all selected rows if the clicked row is one of them, or if it comes from a keybinding or the palette', async () => {
    await select('alpha', 'bravo');
    for (const args of [[handleOf('bravo'), [handleOf('alpha'), handleOf('bravo')]], []]) {
      await run('copyTaskId', ...args);
      assert.deepEqual((await env.clipboard.readText()).split('\n').toSorted(), ['alpha', 'bravo']);
    }
  });

  it('a command for a single row applies to the clicked row, even if other rows are selected', async () => {
    const shown: number[] = [];
    const details = { show: async (file: number) => void shown.push(file) };
    const [first, clicked] = [{ file: 1 }, { file: 2 }];
    const services = { ...engine, details } as unknown as Engine;
    await COMMANDS.showDetails(services, { name: 'showDetails', args: [clicked, [first, clicked]], selection: [] });
    assert.deepEqual(shown, [2]);
  });

  it('a command from the palette applies to the dataset if the user selects one in the Datasets view', async () => {
    await select('alpha');
    await engine.datasets.add({ name: 'Manuals', baseUrl: 'https://import.example' });
    const { text } = engine.picks;
    const asked: string[] = [];
    Object.assign(engine.picks, { text: async ({ title }: { title: string }) => void asked.push(title) });
    await until('Set Access Key… to ask for the key of the dataset', async () => {
      await commands.executeCommand('datasetImport.datasets.focus');
      await commands.executeCommand('list.focusFirst');
      await commands.executeCommand('list.select');
      void run('setAccessKey');
      return asked.includes("Access Key of 'Manuals'");
    });
    Object.assign(engine.picks, { text });
    await engine.datasets.remove(engine.datasets.find('Manuals') ?? assert.fail());
  });

  it('a command asks the user to pick rows if the view is hidden', async () => {
    await select('alpha');
    await commands.executeCommand('workbench.view.explorer');
    const running = run('copyTaskId');
    await until('a row to be picked', async () => {
      await commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return (await env.clipboard.readText()) !== '';
    });
    await running;
    // The test picked the first item, All.
    assert.equal((await env.clipboard.readText()).split('\n').length, NAMES.length);
  });

  it('the Delete key removes the focused row, or all selected rows if the focused row is one of them', async () => {
    await select('alpha', 'bravo');
    const { keybindings } = extension().packageJSON.contributes;
    const { command, args } = keybindings.find(({ key }: { key: string }) => key === 'delete');
    void commands.executeCommand('runCommands', { commands: [{ command, args }] });
    await until('two rows to be removed', async () => (await names()).length === 1);
    assert.deepEqual(await names(), ['charlie.txt']);
  });

  it('a title bar command applies to all rows that match the filter, regardless of focus', async () => {
    const queued = NAMES.map((name) => fileOf(`${name}.md`));
    const batch = { label: 'weekly', folder: null };
    await engine.store.queue({ destination: DESTINATION, run: 'r', batch, skipped: {}, files: queued });
    await engine.arrangement.change({ filter: { text: 'ha.md' } });
    await run('cancelAll', { $treeViewId: TASKS_VIEW, $focusedTreeItem: true, $selectedTreeItems: true }, null);
    await engine.arrangement.change({ filter: undefined });
    const rows = await engine.store.rowsAfter({ filter: { states: ['notUploaded'] }, after: 0, limit: 10 });
    assert.equal(rows.map(({ name }) => name).join(), 'alpha.md');
    const ofBatch = { $treeViewId: TASKS_VIEW, $treeItemHandle: `1/batch ${rows[0]?.batch}` };
    await untilDrawn(ofBatch);
    await run('cancelImport', ofBatch, null);
    const { states } = await engine.store.counts(null);
    assert.deepEqual([states.notUploaded, states.queued], [3, undefined]);
  });

  it('Attach Task ID… in the title bar tracks a task, even if a row has focus', async () => {
    await select('alpha');
    const asked: string[] = [];
    const picks = { ...engine.picks, one: async (_: unknown, { title }: { title: string }) => void asked.push(title) };
    const title = { $treeViewId: TASKS_VIEW, $focusedTreeItem: true, $selectedTreeItems: true };
    const services = { ...engine, picks } as unknown as Engine;
    await COMMANDS.trackTask(services, { name: 'trackTask', args: [title, null], selection: [] });
    assert.deepEqual(asked, ['Attach Task ID']);
  });

  it('a command reports that it does not apply if its row was removed, or if it was run from the palette and applies to none of the rows', async () => {
    const onRow = ['attachTaskId', 'editRequest', 'mapResponses', 'previewRequest', 'setAccessKey'] as const;
    for (const name of [...onRow, 'retryFailed'] as const) {
      const args = name === 'retryFailed' ? [] : [{ file: -1 }];
      const running = async () => COMMANDS[name](engine, { name, args, selection: [] });
      await assert.rejects(running, /^UserError: There are no tasks to which this command applies/, name);
    }
  });

  it("Set Access Key… and Edit Request… apply to the clicked batch's dataset", async () => {
    const batch = { group: 'batch 1', filter: {} };
    for (const name of ['setAccessKey', 'editRequest'] as const) {
      const running = async () => COMMANDS[name](engine, { name, args: [batch], selection: [] });
      await assert.rejects(running, /^UserError: Dataset 'Removed' no longer exists/);
    }
  });

  function handleOf(name: string) {
    return { $treeViewId: TASKS_VIEW, $treeItemHandle: `1/${files.get(name)}` };
  }

  /** Shows the view and waits until VS Code has drawn a row. Until then, VS Code doesn't pass the row to commands. */
  async function untilDrawn(handle: object): Promise<void> {
    await commands.executeCommand(`${TASKS_VIEW}.focus`);
    engine.tasksView.refresh();
    await until('the rows to be drawn', async () => {
      passed = undefined;
      await commands.executeCommand('runCommands', { commands: [{ command: PASSED, args: handle }] });
      return passed !== undefined;
    });
  }

  /** Selects adjacent rows in the focused view. */
  async function select(first: string, ...others: readonly string[]): Promise<void> {
    await commands.executeCommand(`${TASKS_VIEW}.focus`);
    await commands.executeCommand('list.focusFirst');
    for (let down = 0; down < NAMES.indexOf(first); down++) await commands.executeCommand('list.focusDown');
    await commands.executeCommand('list.select');
    for (const _ of others) await commands.executeCommand('list.expandSelectionDown');
    await until('the selection', () => engine.view.selection.length === 1 + others.length);
  }

  async function run(name: string, ...args: readonly unknown[]): Promise<void> {
    await env.clipboard.writeText('');
    const command = { command: `datasetImport.${name}`, ...(args.length > 0 && { args }) };
    await commands.executeCommand('runCommands', { commands: [command] });
  }

  async function names(): Promise<string[]> {
    return (await engine.store.rowsAfter({ filter: {}, after: 0, limit: 10 })).map(({ name }) => name);
  }
});
