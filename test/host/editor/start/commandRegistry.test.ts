import assert from 'node:assert/strict';
import { commands, type LogOutputChannel } from 'vscode';
import { formatError } from '../../../../src/editor/platform/formatError';
import { Messages } from '../../../../src/editor/platform/messages';
import { UserError } from '../../../../src/editor/platform/userError';
import { CommandRegistry, type Handlers } from '../../../../src/editor/start/commandRegistry';
import { on, onNothing, onOne } from '../../../../src/editor/targets';
import { SourceError } from '../../../../src/service/errors';
import { StoreFault } from '../../../../src/tasks/store/storeFault';
import { closingMessages } from '../../settled';
import { untilSettled } from '../../until';

describe('Commands', () => {
  /** What is logged. Extensions can't read a log. */
  const errors: unknown[] = [];
  const log = { error: (error: unknown) => errors.push(error), warn: () => {}, info: () => {} };
  let registered: CommandRegistry | undefined;

  beforeEach(() => errors.splice(0));
  afterEach(() => registered?.dispose());

  const thrown: Readonly<Record<string, unknown>> = {
    StoreFault: new StoreFault('unusable', 'no permission'),
    SourceError: new SourceError('empty', 'notes.txt'),
    UserError: new UserError('Do this instead.'),
    'another error': new TypeError('x is not a function'),
    'a thrown text': 'a text',
    undefined,
  };

  it('show one message for whatever a handler throws, and never reject', async () => {
    let error: unknown;
    register({ 'test.throws': onNothing(() => Promise.reject(error)) });
    for (error of Object.values(thrown)) {
      errors.splice(0);
      await closingMessages(commands.executeCommand('datasetImport.test.throws'));
      assert.equal(errors.length, 1);
      assert.match(formatError(error, () => {}).message, /^[A-Z'].*/);
    }
  });

  it('describe what was thrown, and offer next steps', () => {
    const said = Object.fromEntries(
      Object.entries(thrown).map(([name, error]) => {
        const { message, actions } = formatError(error, () => {});
        return [name, [message, ...actions.map(({ label }) => label)]];
      }),
    );
    assert.deepEqual(said, {
      StoreFault: ['The task database cannot be read or written: no permission', 'Show Log'],
      SourceError: ["'notes.txt' is empty."],
      UserError: ['Do this instead.'],
      'another error': ['An unexpected error occurred: x is not a function', 'Show Log'],
      'a thrown text': ['An unexpected error occurred: a text', 'Show Log'],
      undefined: ['An unexpected error occurred: undefined', 'Show Log'],
    });
  });

  it("run what a message's button offers", async () => {
    const chosen = new Promise<void>((resolve) => {
      const error = new UserError('Choose.', [{ label: 'Do It', run: resolve }]);
      register({ 'test.offers': onNothing(() => Promise.reject(error)) });
    });
    const command = commands.executeCommand('datasetImport.test.offers');
    await untilSettled('the button to be chosen', chosen, () =>
      commands.executeCommand('notification.acceptPrimaryAction'),
    );
    await command;
  });

  it('ignore the selection if VS Code passes no row for a clicked one, which it does while it draws', async () => {
    const given: unknown[] = [];
    registered = new CommandRegistry(
      ['datasetImport.test.ofRow'],
      async () => {},
      () => [{ file: 1 }],
    );
    const handler = on(['row'], ({ rows }) => given.push(rows));
    registered.handle({ 'test.ofRow': handler }, messages());
    for (const target of [undefined, null])
      await commands.executeCommand('datasetImport.test.ofRow', target, undefined);
    assert.deepEqual(given, [[], []]);
  });

  it('are unregistered by dispose', async () => {
    register({ 'test.gone': onNothing(() => {}) });
    registered?.dispose();
    assert.ok(!(await commands.getCommands(true)).includes('datasetImport.test.gone'));
  });

  it('load their handlers when one is first used', async () => {
    const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
    const runs: string[] = [];
    registered = new CommandRegistry(['datasetImport.test.late'], async () => {
      runs.push('load');
      await loaded;
    });
    const running = commands.executeCommand('datasetImport.test.late', { file: 7 });
    const handler = onOne(['row'], (row) => runs.push(String(row?.file)));
    registered.handle({ 'test.late': handler }, messages());
    load();
    await running;
    assert.deepEqual(runs, ['load', '7']);
  });

  it('show nothing of their own if the handlers cannot be loaded, because the loader does', async () => {
    registered = new CommandRegistry(['datasetImport.test.late'], () => Promise.reject(new Error('no such file')));
    await commands.executeCommand('datasetImport.test.late');
    assert.deepEqual(errors, []);
  });

  function register(handlers: Handlers): void {
    registered = new CommandRegistry(
      Object.keys(handlers).map((name) => `datasetImport.${name}`),
      async () => {},
    );
    registered.handle(handlers, messages());
  }

  function messages(): Messages {
    return new Messages(log as unknown as LogOutputChannel);
  }
});
