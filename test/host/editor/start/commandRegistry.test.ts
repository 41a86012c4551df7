import assert from 'node:assert/strict';
import { commands, type LogOutputChannel } from 'vscode';
import { formatError } from '../../../../src/editor/platform/formatError';
import { Messages } from '../../../../src/editor/platform/messages';
import { UserError } from '../../../../src/editor/platform/userError';
import { CommandRegistry, type Handlers } from '../../../../src/editor/start/commandRegistry';
import { on, onNothing, onOne } from '../../../../src/editor/targets';
import { SourceError } from '../../../../src/service/errors';
import { StoreError } from '../../../../src/tasks/database/storeError';
import { closingMessages } from '../../settled';
import { untilSettled } from '../../until';

describe('Commands', () => {
  /** What is logged: VS Code lets nobody read a log. */
  const errors: unknown[] = [];
  const log = { error: (error: unknown) => errors.push(error), warn: () => {}, info: () => {} };
  let registered: Commands | undefined;

  beforeEach(() => errors.splice(0));
  afterEach(() => registered?.dispose());

  const thrown: Readonly<Record<string, unknown>> = {
    StoreError: new StoreError('/store/tasks.sqlite', new Error('why')),
    SourceError: new SourceError('empty', 'notes.txt'),
    UserError: new UserError('Do this instead.'),
    'an error of no kind': new TypeError('x is not a function'),
    'what is no error': 'a text',
    undefined,
  };

  it('show one message for whatever a handler throws, and do not reject', async () => {
    let error: unknown;
    register({ 'datasetImport.test.throws': onNothing(() => Promise.reject(error)) });
    for (error of Object.values(thrown)) {
      errors.splice(0);
      await closingMessages(commands.executeCommand('datasetImport.test.throws'));
      assert.equal(errors.length, 1);
      assert.match(formatError(error, () => {}).message, /^[A-Z'].*/);
    }
  });

  it('say in words what was thrown, with the next steps', () => {
    const said = Object.fromEntries(
      Object.entries(thrown).map(([name, error]) => {
        const { message, actions } = formatError(error, () => {});
        return [name, [message, ...actions.map(({ label }) => label)]];
      }),
    );
    assert.deepEqual(said, {
      StoreError: [
        "The task database '/store/tasks.sqlite' cannot be read or written. Check its permissions.",
        'Show Log',
      ],
      SourceError: ["'notes.txt' is empty."],
      UserError: ['Do this instead.'],
      'an error of no kind': ['An unexpected error occurred: x is not a function', 'Show Log'],
      'what is no error': ['An unexpected error occurred: a text', 'Show Log'],
      undefined: ['An unexpected error occurred: undefined', 'Show Log'],
    });
  });

  it("do what the message's button says", async () => {
    const chosen = new Promise<void>((resolve) => {
      const error = new UserError('Choose.', [{ label: 'Do It', run: resolve }]);
      register({ 'datasetImport.test.offers': onNothing(() => Promise.reject(error)) });
    });
    const command = commands.executeCommand('datasetImport.test.offers');
    await untilSettled('the button to be chosen', chosen, () =>
      commands.executeCommand('notification.acceptPrimaryAction'),
    );
    await command;
  });

  it('take no selected row for a single one that was clicked while VS Code was drawing it', async () => {
    const given: unknown[] = [];
    registered = new CommandRegistry(
      ['datasetImport.test.ofRow'],
      async () => {},
      () => [{ taskKey: 1 }],
    );
    const handler = on(['task'], ({ rows }) => given.push(rows));
    registered.handle({ 'datasetImport.test.ofRow': handler }, messages());
    for (const target of [undefined, null])
      await commands.executeCommand('datasetImport.test.ofRow', target, undefined);
    assert.deepEqual(given, [[], []]);
  });

  it('are gone once disposed of', async () => {
    register({ 'datasetImport.test.gone': onNothing(() => {}) });
    registered?.dispose();
    assert.ok(!(await commands.getCommands(true)).includes('datasetImport.test.gone'));
  });

  it('are there before their handlers, which their first use loads', async () => {
    const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
    const runs: string[] = [];
    registered = new CommandRegistry(['datasetImport.test.late'], async () => {
      runs.push('load');
      await loaded;
    });
    const running = commands.executeCommand('datasetImport.test.late', { taskKey: 7 });
    const handler = onOne(['task'], (row) => runs.push(String(row?.taskKey)));
    registered.handle({ 'datasetImport.test.late': handler }, messages());
    load();
    await running;
    assert.deepEqual(runs, ['load', '7']);
  });

  it('do not reject where their handlers cannot be loaded, as the loader tells so', async () => {
    registered = new CommandRegistry(['datasetImport.test.late'], () => Promise.reject(new Error('no such file')));
    await commands.executeCommand('datasetImport.test.late');
    assert.deepEqual(errors, []);
  });

  function register(handlers: Handlers): void {
    registered = new CommandRegistry(Object.keys(handlers), async () => {});
    registered.handle(handlers, messages());
  }

  function messages(): Messages {
    return new Messages(log as unknown as LogOutputChannel);
  }
});
