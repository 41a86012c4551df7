import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { type InputBox, window } from '../../../../src/editor/platform/window';
import { answering } from '../../settled';
import { untilSettled } from '../../until';

describe('An input box', () => {
  const checked: string[] = [];
  const noted: string[] = [];
  const box = (value: string): InputBox => ({
    title: 'Any',
    prompt: 'Any.',
    value,
    validateInput: (typed) => {
      checked.push(typed);
      return typed === 'wrong' ? 'It is wrong.' : undefined;
    },
    note: (typed) => {
      noted.push(typed);
      return 'It is fine.';
    },
  });

  beforeEach(() => {
    for (const list of [checked, noted]) list.splice(0);
  });

  it('shows its hint as soon as it opens, and returns the typed text', async () => {
    const shown = window.showInputBox(box('right'));
    assert.deepEqual([checked, noted], [[], ['right']]);
    assert.equal(await answering(shown, 'accept'), 'right');
  });

  it('stays open while the input is invalid, unless the user closes it', async () => {
    const shown = window.showInputBox(box('wrong'));
    const close = async () => {
      await commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      if (checked.length > 0) await commands.executeCommand('workbench.action.closeQuickOpen');
    };
    assert.equal(await untilSettled('the box to be closed', shown, close), undefined);
  });
});
