import assert from 'node:assert/strict';
import type { LogOutputChannel } from 'vscode';
import { UserError } from '../../../../src/editor/platform/actions';
import { Messages } from '../../../../src/editor/platform/messages';
import { window } from '../../../../src/editor/platform/window';
import { ConnectionLostError } from '../../../../src/service/errors';
import { KEY_MASK, KnownKeys } from '../../../../src/service/masking/mask';
import { answering, closingMessages } from '../../settled';

describe('A message', () => {
  const key = 'my-secret-key-1';
  const forged = '2026-01-31 12:00:00.000 [error] forged';
  const hostile = `no\n${forged}\u001b[31m\u202e ${Buffer.from(key).toString('base64')}`;
  const shown = `no\\n${forged}\\u001b[31m\\u202e ${KEY_MASK}`;
  const url = new URL('https://import.example.com/file-task');
  /** The entries in a fake log. Extensions can't read the real one. */
  let logged: string[];
  let messages: Messages;

  beforeEach(() => {
    logged = [];
    const write = (text: string) => logged.push(text);
    const log = { debug: write, info: write, warn: write, error: write };
    const keys = new KnownKeys();
    keys.add(key);
    messages = new Messages(log as unknown as LogOutputChannel, keys);
  });

  it('is logged on one line, with access keys masked and invisible characters escaped', async () => {
    messages.note(hostile);
    await closingMessages(messages.warn(hostile));
    assert.deepEqual(logged, [shown, shown]);
  });

  it("about a request includes the request's outcome and is logged on one line", () => {
    const cause = new ConnectionLostError('reset', hostile);
    messages.noteOutcome(url, { kind: 'unconfirmed', cause });
    messages.noteOutcome(url, {
      kind: 'rejected',
      rejection: { by: 'status', status: 404, excerpt: hostile },
      badKey: false,
      tryLater: false,
    });
    const response = { envelope: {}, deviations: [hostile] };
    messages.noteOutcome(url, { kind: 'accepted', response, value: undefined });
    assert.deepEqual(logged, [
      `${url.href}: unconfirmed: reset: ${shown}`,
      `${url.href}: rejected: HTTP 404: ${shown}`,
      `${url.href}: accepted`,
      `${url.href}: ${shown}`,
    ]);
  });

  it('about an unexpected error is logged with a stack trace', async () => {
    await closingMessages(messages.error(new TypeError(hostile)));
    const [first, ...frames] = (logged[0] ?? '').split('\n');
    assert.equal(first, `TypeError: ${shown}`);
    assert.ok(frames.length > 0);
    for (const frame of frames) assert.match(frame, /^ {4}at /);
  });

  it('about an expected error is logged without a stack trace', async () => {
    await closingMessages(messages.error(new UserError('The sandbox is stopped.')));
    assert.deepEqual(logged, ['The sandbox is stopped.']);
  });
});

describe('Invisible characters', () => {
  // VS Code doesn't show dialogs in tests. Instead, the call rejects with the dialog's text.
  it('are escaped in dialogs', async () => {
    const asked = window.showWarningMessage('a\nb\u202ec $(x)', { modal: true, detail: 'd' }, 'OK');
    await assert.rejects(Promise.resolve(asked), /a\\nb\\u202ec \$\u2060\(x\)/);
  });

  it('are not escaped in the item that a Quick Pick returns or in the text of an input box', async () => {
    const items = [{ label: 'a\u202eb', extra: 1 }];
    assert.equal(await answering(window.showQuickPick(items, { placeHolder: 'c\u202ed' }), 'accept'), items[0]);
    assert.equal(
      await answering(window.showInputBox({ title: 'Any', prompt: 'Any.', value: 'e\u202ef' }), 'accept'),
      'e\u202ef',
    );
  });
});
