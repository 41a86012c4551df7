import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { editStateExpression } from '../../../../src/editor/mapping/editStateExpression';
import type { InputBox } from '../../../../src/editor/platform/window';
import { beforeEachWalk, walk } from './reportingWalk';

describe('The state expression input box', () => {
  beforeEachWalk();

  it('shows the resulting state for each status, warns about numbers used as conditions, and points out mistakes', async () => {
    await walk.importFiles(3);
    await walk.report(
      '{"status":"RUNNING","left":2,"at":"10:00"}',
      '{"status":"RUNNING","left":3,"at":"11:00"}',
      '{"status":"DONE","left":0,"at":"12:00"}',
    );
    const notes: (string | undefined)[] = [];
    await edit('Type an Expression', (box) => {
      const typed = ["left == `0` && 'succeeded' || 'running'", "left && 'running' || status", ''];
      notes.push(...typed.map((each) => box.note?.(each)), box.validateInput?.('left ='));
      return undefined;
    });
    assert.deepEqual(notes, [
      'DONE → succeeded; RUNNING → running',
      'left is a number, and 0 counts as true. Compare it: left > `0`. DONE → running; RUNNING → running',
      'Without an expression, the status decides.',
      'The expression has a mistake at character 5.',
    ]);
    assert.equal(walk.dataset.contract.queryTask.state, undefined);
  });

  it('suggests an expression for the picked field, and removes the expression if the user clears the box', async () => {
    await walk.importFiles(1);
    await walk.report('{"closed":true,"why":null}');
    await edit(['This Flag Means Finished…', 'true'], ({ value }) => value);
    assert.equal(walk.dataset.contract.queryTask.state, "closed == `true` && 'succeeded' || 'running'");
    await walk.report();
    await walk.untilStates('succeeded');
    await edit(['This Field Holds an Error…', 'null'], ({ value }) => value);
    assert.equal(
      walk.dataset.contract.queryTask.state,
      "closed == `true` && (to_string(why || `0`) != '0' && 'failed' || 'succeeded') || 'running'",
    );
    await edit('Edit the Expression', () => '');
    assert.equal(walk.dataset.contract.queryTask.state, undefined);
  });

  async function edit(picked: string | string[], type: (box: InputBox) => string | undefined): Promise<void> {
    const script = [picked].flat();
    const one = async (items: readonly QuickPickItem[]) => {
      const label = script.shift();
      return items.find((item) => item.label === label) ?? assert.fail(`${label} isn't offered`);
    };
    const picks = { ...walk.services.picks, one, text: async (box: InputBox) => type(box) };
    await editStateExpression({ ...walk.services, picks } as typeof walk.services, walk.dataset);
  }
});
