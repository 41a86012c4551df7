import assert from 'node:assert/strict';
import { commands, type LogOutputChannel } from 'vscode';
import { on, runCommand } from '../../../src/editor/commands';
import { commandAction, UserError } from '../../../src/editor/platform/actions';
import { formatError, Messages } from '../../../src/editor/platform/messages';
import type { Services } from '../../../src/editor/services';
import { SourceError } from '../../../src/service/errors';
import { StoreFault } from '../../../src/tasks/store/storeFault';
import { closingMessages } from '../settled';
import { untilSettled } from '../until';

describe('A command', () => {
  /** The logged errors, captured here because extensions can't read their own logs. */
  const errors: unknown[] = [];
  const add = (error: unknown) => errors.push(error);
  const log = { error: add, warn: add, info: () => {} };
  const messages = new Messages(log as unknown as LogOutputChannel);

  beforeEach(() => errors.splice(0));

  const thrown: Readonly<Record<string, unknown>> = {
    StoreFault: new StoreFault('unusable', 'no permission'),
    SourceError: new SourceError('empty', 'notes.txt'),
    UserError: new UserError('Do this instead.'),
    'another error': new TypeError('x is not a function'),
    'a thrown text': 'a text',
    undefined,
  };

  it('shows exactly one message if it throws an error, and its promise never rejects', async () => {
    for (const error of Object.values(thrown)) {
      errors.splice(0);
      await closingMessages(runThrowing(error));
      assert.equal(errors.length, 1);
    }
  });

  it('shows a description of any error that it throws, and offers next steps', () => {
    const shown = Object.fromEntries(
      Object.entries(thrown).map(([name, error]) => {
        const { message, actions } = formatError(error, () => {});
        return [name, [message, ...actions.map(({ label }) => label)]];
      }),
    );
    assert.deepEqual(shown, {
      StoreFault: ['The task database cannot be read or written: no permission', 'Show Log'],
      SourceError: ["'notes.txt' is empty."],
      UserError: ['Do this instead.'],
      'another error': ['An unexpected error occurred: x is not a function', 'Show Log'],
      'a thrown text': ['An unexpected error occurred: a text', 'Show Log'],
      undefined: ['An unexpected error occurred: undefined', 'Show Log'],
    });
  });

  it('runs the matching action when the user clicks a button in its error message', async () => {
    const { promise: chosen, resolve } = Promise.withResolvers<void>();
    const running = runThrowing(new UserError('Choose.', [{ label: 'Do It', run: resolve }]));
    await untilSettled('the button to be chosen', chosen, () =>
      commands.executeCommand('notification.acceptPrimaryAction'),
    );
    await running;
  });

  it('runs without arguments from a button that has no target', async () => {
    const given: unknown[][] = [];
    const command = commands.registerCommand('datasetImport.ofButton', (...args) => given.push(args));
    await commandAction('ofButton', undefined, 'Do It').run();
    await commandAction('ofButton', { file: 1 }, 'Do It').run();
    command.dispose();
    assert.deepEqual(given, [[], [{ file: 1 }]]);
  });

  it('runs without any rows if VS Code does not pass the clicked row because that row is being redrawn', () => {
    const given: unknown[] = [];
    const command = on(['row'], (_, { rows }) => given.push(rows));
    for (const row of [undefined, null])
      command({} as Services, { name: 'any', args: [row, undefined], selection: [{ file: 1 }] });
    assert.deepEqual(given, [[], []]);
  });

  /** Runs a command that throws. */
  function runThrowing(error: unknown): Promise<void> {
    const sandbox = { stop: () => Promise.reject(error) };
    return runCommand({ messages, sandbox } as unknown as Services, 'stopSandbox', [], []);
  }
});
