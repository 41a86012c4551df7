import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { commands, env, window } from 'vscode';
import { isBatchNode } from '../../../../src/editor/taskItems/tasksNode';
import { newestFirst } from '../../../../src/tasks/history/walk';
import { type NewTask, newTask, type Phase } from '../../../../src/tasks/trackedTask';
import { activated, extension, type Parts } from '../../activated';
import { answered, answerWith } from '../../answeredTasks';
import { answering, closeEditors, untilTasks } from '../../settled';
import { until } from '../../until';
import { setUserSetting } from '../../userSettings';
import { WorkspaceFiles } from '../../workspaceFiles';

const TASKS_VIEW = 'datasetImport.tasks';
const DATASETS_VIEW = 'datasetImport.datasets';
const PASSED = 'datasetImport.test.notePassed';

/** In the order of the view, which shows a batch with the last two before the others. */
const FILES = ['alpha', 'bravo', 'charlie', 'delta', 'echo'];
const IN_BATCH = ['delta', 'echo'];
/** India asks to try later, in an hour. */
const DATASETS = ['Golf', 'Hotel', 'India'];

type State = 'succeeded' | 'failed' | 'notUploaded' | 'unconfirmed' | 'queued';

/** A command in the menu of a row, and the state of the files to which it applies. */
interface TaskCommand {
  readonly id: string;
  readonly state: State;
  /** One file, several, also those of batches, or a batch only. */
  readonly on: 'one' | 'several' | 'batches' | 'batch';
  /** The dialog that it opens for files before it does anything. */
  readonly asks?: (files: readonly string[]) => string | undefined;
  /** The dialog that it opens if no row is meant, for all five files; without it, the user picks one. */
  readonly asksForAll?: string;
}

/** What a command applies to from the menu of a row, or of the row of a batch. */
const CLICKED: Readonly<Record<TaskCommand['on'], string>> = {
  one: 'the clicked row alone',
  several: 'the clicked row and the other selected ones',
  batches: 'the files of the clicked batch',
  batch: 'the files of the clicked batch',
};

const TASK_COMMANDS: readonly TaskCommand[] = [
  { id: 'showDetails', state: 'succeeded', on: 'one' },
  { id: 'attachTaskId', state: 'unconfirmed', on: 'one' },
  { id: 'openSourceFile', state: 'succeeded', on: 'several' },
  { id: 'copyTaskId', state: 'succeeded', on: 'batches' },
  { id: 'refreshTask', state: 'succeeded', on: 'batches' },
  { id: 'importAgain', state: 'notUploaded', on: 'batches' },
  { id: 'retryFailed', state: 'notUploaded', on: 'batches', asksForAll: 'Import 5 failed files again?' },
  {
    id: 'retryUnconfirmed',
    state: 'unconfirmed',
    on: 'batches',
    asks: ([file, ...others]) =>
      `Import ${others.length === 0 ? `'${file}.txt'` : `${others.length + 1} files`} again?`,
    asksForAll: 'Import 5 files again?',
  },
  { id: 'cancelImport', state: 'queued', on: 'batches' },
  {
    id: 'removeTask',
    state: 'succeeded',
    on: 'batches',
    asks: ({ length }) => (length === 1 ? undefined : `Remove ${length} tasks from the list?`),
  },
  { id: 'exportTasks', state: 'succeeded', on: 'batch' },
];

/** The commands in the menu of a dataset that name it in what they ask, send or change. */
const DATASET_COMMANDS = [
  ...['testConnection', 'setAccessKey', 'mapResponses', 'editRequest', 'setWebhook', 'trackTask'],
  ...['renameDataset', 'forgetImportedFiles', 'removeDataset'],
];

/** Commands with tests of their own below, that only open a dialog for files, or that take no row. */
const OTHERS = [
  ...['tryNow', 'showBatch', 'importChanges', 'mapStatuses', 'replaceAccessKey', 'makeDefaultDataset'],
  ...['importFilesHere', 'importFolderHere', 'openDatasetSettings', 'stopSandbox', 'importSamples'],
  ...['changeBaseUrl', 'copyDatasetDefinition', 'previewRequest'],
];

describe('The rows that a command applies to', () => {
  let parts: Parts;
  let files: WorkspaceFiles;
  const services = new Map<string, NamedService>();
  /** What the command shows, asks and sends, as text. */
  const said: string[] = [];
  /** The dialogs that it opens: VS Code refuses to show them in tests. */
  const dialogs: string[] = [];
  const undo: (() => void)[] = [];
  /** What VS Code passed to the command PASSED. */
  let passed: unknown;
  const keys = new Map<string, number>();

  before(async () => {
    parts = await activated();
    files = new WorkspaceFiles('targets');
    for (const name of DATASETS) services.set(name, await startService(said, name === 'India' ? 429 : 200));
    const setting = DATASETS.map((name) => ({ name, baseUrl: service(name).baseUrl.href }));
    await setUserSetting('datasetImport.datasets', setting);
    for (const name of DATASETS) await parts.keys.set({ name, baseUrl: service(name).baseUrl }, `key of ${name}`);
    record();
    const noting = commands.registerCommand(PASSED, (element: unknown) => {
      passed = element;
    });
    undo.push(() => noting.dispose());
  });

  after(async () => {
    for (const restore of undo) restore();
    for (const name of DATASETS) await parts.keys.clear({ name });
    await setUserSetting('datasetImport.datasets', undefined);
    for (const { close } of services.values()) await close();
    files.remove();
    await commands.executeCommand('workbench.view.explorer');
  });

  afterEach(async () => {
    await closeEditors();
    await parts.queue.cancel();
    const rows: number[] = [];
    for await (const tasks of newestFirst(parts.list.history)) rows.push(...tasks.map(({ key }) => key));
    await parts.list.remove(rows);
  });

  it('are tested for each command in the menu of a row', () => {
    const { menus } = extension().packageJSON.contributes;
    const entries: { command?: string }[] = menus['view/item/context'];
    const ids = entries.flatMap(({ command }) => command?.replace('datasetImport.', '') ?? []);
    const tested = new Set([...TASK_COMMANDS.map(({ id }) => id), ...DATASET_COMMANDS, ...OTHERS]);
    assert.deepEqual(
      ids.filter((id) => !tested.has(id)),
      [],
    );
  });

  for (const command of TASK_COMMANDS) {
    const { id, state, on, asksForAll } = command;

    it(`are asked for in the palette by ${id} if the view is hidden, and are ${CLICKED[on]} in its menu`, async () => {
      await addRows(state);
      await select('alpha', 'bravo');
      await commands.executeCommand('workbench.view.explorer');
      await run(id);
      if (asksForAll === undefined) assert.deepEqual([named(FILES), dialogs], [FILES, []]);
      else assert.ok(dialogs.length === 1 && dialogs[0]?.includes(asksForAll), String(dialogs));

      await select('alpha', 'bravo');
      if (on === 'batches' || on === 'batch') {
        await run(id, batchRow, null);
        expectFiles(command, IN_BATCH);
      } else {
        await run(id, row('bravo'), [row('alpha'), row('bravo')]);
        expectFiles(command, on === 'one' ? ['bravo'] : ['alpha', 'bravo']);
      }
    });
  }

  // How a command finds its rows is the same for all of a kind.
  for (const id of ['showDetails', 'openSourceFile', 'copyTaskId']) {
    const command = TASK_COMMANDS.find((each) => each.id === id) ?? assert.fail(id);

    describe(`for ${id}`, () => {
      beforeEach(() => addRows(command.state));

      it('are the clicked row, if it is not among the selected ones', async () => {
        await select('bravo');
        await run(id, row('alpha'), null);
        expectFiles(command, ['alpha']);
      });

      // A command for one row lets the user pick one of them.
      it('are the selected rows for a keybinding', async () => {
        await select('alpha', 'bravo');
        await run(id);
        expectFiles(command, ['alpha', 'bravo']);
      });

      it(
        command.on === 'batches'
          ? 'are the files of a selected batch for a keybinding'
          : 'are asked for, if a batch is selected',
        async () => {
          await selectBatch();
          await run(id);
          expectFiles(command, command.on === 'batches' ? IN_BATCH : FILES);
        },
      );
    });
  }

  for (const id of DATASET_COMMANDS) {
    it(`are asked for in the palette by ${id} if the view is hidden, and are the clicked dataset in its menu`, async () => {
      await selectDataset(1);
      await commands.executeCommand('workbench.view.explorer');
      await run(id);
      assert.deepEqual(namedDatasets(), DATASETS);
      await run(id, datasetRow('Hotel'), null);
      assert.deepEqual(namedDatasets(), ['Hotel']);
    });
  }

  it('are the selected dataset for a keybinding', async () => {
    await selectDataset(1);
    await run('testConnection');
    assert.deepEqual(namedDatasets(), ['Hotel']);
  });

  describe('in the title bar of the Tasks view', () => {
    it('are all unconfirmed files, whichever row has the focus', async () => {
      await addRows('unconfirmed');
      await select('alpha');
      await run(titleCommand(/unconfirmed/i), focusedRow, null);
      assert.match(dialogs.join(), /Import 5 files again\?/);
    });

    it('are the unconfirmed files that the filter shows', async () => {
      await addRows('unconfirmed');
      await filterBy('ha.txt');
      await run(titleCommand(/unconfirmed/i), focusedRow, null);
      assert.match(dialogs.join(), /Import 'alpha\.txt' again\?/);
    });

    it('are all files to export, whichever row has the focus', async () => {
      await addRows('succeeded');
      await selectBatch();
      await run(titleCommand(/export/i), focusedRow, null);
      assert.deepEqual(named(FILES), FILES);
    });

    it('are the succeeded files that the filter shows', async () => {
      await addRows('succeeded');
      await filterBy('ha.txt');
      await run(titleCommand(/clear(?!TaskFilter)/i), focusedRow, null);
      assert.match(dialogs.join(), /Remove 1 task that has succeeded from the list\?/);
    });

    it('are the imports to cancel that the filter shows', async () => {
      await addRows('queued');
      await filterBy('ha.txt');
      await run(titleCommand(/cancel/i), focusedRow, null);
      assert.deepEqual(named(FILES), ['alpha']);
    });
  });

  describe('for Delete', () => {
    it('are the row with the focus', async () => {
      await addRows('succeeded');
      await select('alpha');
      await press('delete');
      assert.deepEqual([named(FILES), dialogs], [['alpha'], []]);
    });

    it('are all selected rows, if the one with the focus is selected', async () => {
      await addRows('succeeded');
      await select('alpha', 'bravo');
      await press('delete');
      assert.match(dialogs.join(), /Remove 2 tasks from the list\?/);
    });

    it('are none on the row that shows more', async () => {
      await addRows('succeeded');
      const [more] = await parts.list.add(
        Array.from({ length: 200 }, (_, at) => aRow(`file ${at}`, 'succeeded', 10 + at)),
      );
      await untilDrawn(more?.key);
      await select('alpha');
      await commands.executeCommand('list.focusLast');
      await press('delete', 'accept');
      assert.deepEqual([said, dialogs], [[], []]);
    });
  });

  describe('for tryNow', () => {
    it('are the uploads to the dataset of the selected row', async () => {
      await addRows('queued');
      await select('alpha');
      const asked = service('India').asked;
      const again = once(service('India').events, 'request');
      await run('tryNow');
      await again;
      assert.deepEqual([service('India').asked - asked, dialogs], [1, []]);
    });

    it('are asked for with the number of files, if no row is selected', async () => {
      await addRows('queued');
      await select('alpha');
      await commands.executeCommand('workbench.view.explorer');
      const asked = service('India').asked;
      await run('tryNow');
      assert.match(dialogs.join(), /Upload 5 paused files now\?/);
      assert.equal(service('India').asked, asked);
    });
  });

  it('are the batch that is selected, when its page is opened with a keybinding', async () => {
    await addRows('succeeded');
    await selectBatch();
    await run('showBatch');
    await until('the page of the batch', () => labels().includes('weekly'));
  });

  it('are the batch that is selected, when its changes are imported with a keybinding', async () => {
    await addRows('succeeded');
    for (const name of IN_BATCH) files.write(`${name}.txt`, `${name} has changed`);
    await selectBatch();
    await run('importChanges');
    assert.deepEqual(named(FILES), IN_BATCH);
  });

  function service(name: string): NamedService {
    return services.get(name) ?? assert.fail(name);
  }

  function expectFiles({ asks }: TaskCommand, names: readonly string[]): void {
    const dialog = asks?.(names);
    if (dialog === undefined) assert.deepEqual([named(FILES), dialogs], [names, []]);
    else assert.ok(dialogs.length === 1 && dialogs[0]?.includes(dialog), `${dialogs} for ${names}`);
  }

  /** Which of these names occur in what was shown, asked or sent. */
  function named(names: readonly string[]): string[] {
    return names.filter((name) => said.some((words) => words.includes(name)));
  }

  function namedDatasets(): string[] {
    return DATASETS.filter((name) => [...said, ...dialogs].some((words) => words.includes(name)));
  }

  /** Adds the files to the list, all of them in this state, and waits until VS Code has drawn their rows. */
  async function addRows(state: State): Promise<void> {
    keys.clear();
    const added = await parts.list.add(FILES.map((name, index) => aRow(name, state, index)));
    for (const { key, source } of added) keys.set(source?.name.replace('.txt', '') ?? '', key);
    if (state === 'queued') await untilPaused();
    await untilDrawn(keys.get('alpha'));
  }

  /** Shows the view, and waits until VS Code has drawn the row: until then, it passes no element for it. */
  async function untilDrawn(key: number | undefined): Promise<void> {
    await commands.executeCommand(`${TASKS_VIEW}.focus`);
    const args = { $treeViewId: TASKS_VIEW, $treeItemHandle: `1/${key}` };
    await until('the rows to be drawn', async () => {
      passed = undefined;
      await commands.executeCommand('runCommands', { commands: [{ command: PASSED, args }] });
      return passed !== undefined;
    });
  }

  function aRow(name: string, state: State, ageMinutes: number): NewTask {
    const path = files.write(`${name}.txt`, name).fsPath;
    const source = {
      from: 'disk',
      path,
      relativePath: `${name}.txt`,
      name: `${name}.txt`,
      sizeBytes: name.length,
    } as const;
    const dataset = state === 'queued' ? 'India' : 'Golf';
    const batch = IN_BATCH.includes(name) ? { id: 'b-weekly', label: 'weekly' } : undefined;
    const at = { dataset, origin: service(dataset).baseUrl.origin, source, batch };
    // The batch is the newest, so that its row comes first. Old rows would be cleared with the first upload.
    const when = { createdMs: Date.now() - 60_000 * (batch === undefined ? 10 + ageMinutes : ageMinutes) };
    if (state !== 'succeeded' && state !== 'failed') return newTask({ ...at, ...when, phase: phases[state] });
    const found = `{"taskId":"id-${name}","status":"${state}","note":"about ${name}"}`;
    return { ...answered({ dataset, begun: `{"taskId":"id-${name}"}`, found }), ...at, ...when };
  }

  async function untilPaused(): Promise<void> {
    await untilTasks(parts.list, FILES.length, ({ phase }) => phase.kind === 'queued');
    const { baseUrl } = service('India');
    while (parts.queue.pauseOf({ dataset: 'India', origin: baseUrl.origin }) === undefined)
      await once(parts.queue.events, 'pausesChanged');
  }

  /** The row of a file as VS Code passes it to a command. */
  function row(name: string) {
    return { $treeViewId: TASKS_VIEW, $treeItemHandle: `1/${keys.get(name)}` };
  }

  function datasetRow(name: string) {
    return { dataset: parts.datasets.find(name) };
  }

  /** Selects the first rows of files in the view, which has the focus. */
  async function select(first: string, ...others: readonly string[]): Promise<void> {
    await commands.executeCommand(`${TASKS_VIEW}.focus`);
    await parts.tasksView.reveal(keys.get(first) ?? assert.fail(first));
    await commands.executeCommand('list.focusFirst');
    await commands.executeCommand('list.collapse');
    for (let down = -1; down < FILES.indexOf(first); down++) await commands.executeCommand('list.focusDown');
    for (const _ of others) await commands.executeCommand('list.expandSelectionDown');
  }

  /** Selects the row of the batch in the view, which has the focus. */
  async function selectBatch(): Promise<void> {
    // What is pressed while VS Code draws the view for the first time is lost.
    await until('the batch to be selected', async () => {
      await select('alpha');
      await commands.executeCommand('list.focusFirst');
      await commands.executeCommand('list.select');
      return parts.tasksView.selection.some(isBatchNode);
    });
  }

  async function selectDataset(index: number): Promise<void> {
    await commands.executeCommand(`${DATASETS_VIEW}.focus`);
    await commands.executeCommand('list.focusFirst');
    for (let down = 0; down < index; down++) await commands.executeCommand('list.focusDown');
    await commands.executeCommand('list.select');
  }

  async function filterBy(words: string): Promise<void> {
    const { oneOrTyped } = parts.picks;
    parts.picks.oneOrTyped = async (_items, _options, typed) => typed(words);
    await commands.executeCommand('datasetImport.filterTasks');
    parts.picks.oneOrTyped = oneOrTyped;
  }

  /** Runs a command as VS Code's own window does, and waits for what comes of it. */
  async function run(id: string, ...args: readonly unknown[]): Promise<void> {
    const command = id.startsWith('datasetImport.') ? id : `datasetImport.${id}`;
    await watched({ command, ...(args.length > 0 && { args }) }, command.includes('export') ? 'accept' : 'cancel');
  }

  /** Runs the command of a keybinding. */
  async function press(pressed: string, answer: 'accept' | 'cancel' = 'cancel'): Promise<void> {
    const { keybindings } = extension().packageJSON.contributes;
    const { command, args } = keybindings.find(({ key }: { key: string }) => key === pressed);
    await watched({ command, args }, answer);
  }

  /** The command in the title bar of the Tasks view whose ID fits. */
  function titleCommand(fits: RegExp): string {
    const entries: { command: string; when: string }[] = extension().packageJSON.contributes.menus['view/title'];
    const found = entries.find(({ command, when }) => when.startsWith(`view == ${TASKS_VIEW}`) && fits.test(command));
    return found?.command ?? assert.fail(String(fits));
  }

  async function watched(command: object, answer: 'accept' | 'cancel'): Promise<void> {
    const tabs = new Set(labels());
    const before = await parts.list.findAll([...keys.values()]);
    await env.clipboard.writeText('');
    said.length = 0;
    dialogs.length = 0;
    await answering(commands.executeCommand('runCommands', { commands: [command] }), answer);
    await untilSettled();
    said.push(...labels().filter((label) => !tabs.has(label)), await env.clipboard.readText(), takeExport());
    for (const task of before) {
      const now = await parts.list.find(task.key);
      const wasCanceled = task.phase.kind === 'queued' && now?.phase.kind === 'notSent';
      if (now === undefined || wasCanceled) said.push(task.source?.name ?? '');
    }
    said.splice(0, said.length, ...said.filter((words) => words !== ''));
  }

  /** Resolves once no upload is under way. */
  async function untilSettled(): Promise<void> {
    const isSettled = () => parts.list.open.every(({ dataset }) => dataset === 'India');
    while (!isSettled()) await once(parts.list.events, 'change');
  }

  /** What was exported to the file that VS Code proposes. */
  function takeExport(): string {
    const path = join(files.folder, '..', 'tasks.csv');
    if (!existsSync(path)) return '';
    const exported = readFileSync(path, 'utf8');
    rmSync(path);
    return exported;
  }

  function labels(): string[] {
    return window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
  }

  /** Notes what the extension lets the user choose or type, and reports, and shows none of it. */
  function record(): void {
    const { picks, messages } = parts;
    const [shown, all] = [{ ...picks }, { error: messages.error, done: messages.done }];
    const note = async (...given: unknown[]) =>
      void said.push(inspect(given.map(withRows), { depth: 5, maxArrayLength: null }));
    for (const kind of Object.keys(picks)) Object.assign(picks, { [kind]: note });
    messages.error = async (error) => void dialogs.push(String(error));
    messages.done = async () => {};
    undo.push(
      () => Object.assign(picks, shown),
      () => Object.assign(messages, all),
    );
  }
});

const failure = { name: 'CanceledError', detail: '' } as const;
const phases = {
  notUploaded: { kind: 'notSent', failure },
  unconfirmed: { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 },
  queued: { kind: 'queued' },
} as const satisfies Record<string, Phase>;

/** What VS Code passes to an action in the title bar of the Tasks view. */
const focusedRow = { $treeViewId: TASKS_VIEW, $focusedTreeItem: true, $selectedTreeItems: true };
const batchRow = { $treeViewId: TASKS_VIEW, $treeItemHandle: '1/b-weekly' };

/** The rows of a table are a function. */
function withRows(given: unknown): unknown {
  const { rows } = (given ?? {}) as { readonly rows?: unknown };
  return typeof rows === 'function' ? { ...(given as object), rows: rows() } : given;
}

/** A service that notes what is sent to it. */
interface NamedService {
  readonly baseUrl: URL;
  readonly events: EventEmitter;
  /** The number of requests. */
  readonly asked: number;
  close(): Promise<void>;
}

async function startService(said: string[], status: number): Promise<NamedService> {
  const events = new EventEmitter();
  let asked = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    asked += 1;
    said.push(`${request.headers['access-key']} ${body}`);
    const headers = { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '3600' }) };
    response.writeHead(status, headers).end(answerWith(`{"taskId":"new-${asked}","status":"succeeded"}`));
    events.emit('request');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    events,
    get asked() {
      return asked;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
