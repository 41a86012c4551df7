import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { editStateExpression } from '../../../../src/editor/mapping/editStateExpression';
import type { InputBox } from '../../../../src/editor/platform/window';
import { beforeEachWalk, type ReportingWalk } from './reportingWalk';

describe('The box for the state expression', () => {
  let walk: ReportingWalk;
  beforeEachWalk((begun) => {
    walk = begun;
  });

  it('shows what the expression yields for each distinct result, which numbers it tests, and where a mistake is', async () => {
    await walk.imports(3);
    await walk.hears(
      '{"status":"RUNNING","left":2,"at":"10:00"}',
      '{"status":"RUNNING","left":3,"at":"11:00"}',
      '{"status":"DONE","left":0,"at":"12:00"}',
    );
    const notes: (string | undefined)[] = [];
    await edits('Type an Expression', (box) => {
      const typed = ["left == `0` && 'succeeded' || 'running'", "left && 'running' || status", ''];
      notes.push(...typed.map((each) => box.note?.(each)), box.validateInput?.('left ='));
      return undefined;
    });
    assert.deepEqual(notes, [
      'DONE → succeeded; RUNNING → running',
      'left is a number, and 0 counts as true. Compare it: left > `0`. DONE → running; RUNNING → running',
      'Without an expression, the status decides.',
      'The expression has a mistake at character 6.',
    ]);
    assert.equal(walk.dataset.contract.queryTask.state, undefined);
  });

  it('starts with a picked flag, affects unfinished tasks, and removes the expression if it is emptied', async () => {
    await walk.imports(1);
    await walk.hears('{"closed":true,"why":null}');
    await edits(['This Flag Means Finished…', 'true'], ({ value }) => value);
    assert.equal(walk.dataset.contract.queryTask.state, "closed == `true` && 'succeeded' || 'running'");
    await walk.hears();
    await walk.untilStates('succeeded');
    await edits(['This Field Holds an Error…', 'null'], ({ value }) => value);
    assert.equal(
      walk.dataset.contract.queryTask.state,
      "closed == `true` && (why && 'failed' || 'succeeded') || 'running'",
    );
    await edits('Edit the Expression', () => '');
    assert.equal(walk.dataset.contract.queryTask.state, undefined);
  });

  async function edits(picked: string | string[], type: (box: InputBox) => string | undefined): Promise<void> {
    const script = [picked].flat();
    const one = async (items: readonly QuickPickItem[]) => {
      const label = script.shift();
      return items.find((item) => item.label === label) ?? assert.fail(`${label} isn't offered`);
    };
    const picks = { ...walk.services.picks, one, text: async (box: InputBox) => type(box) };
    await editStateExpression({ ...walk.services, picks } as typeof walk.services, walk.dataset);
  }
});
