import assert from 'node:assert/strict';
import { type InputStep, window } from '../../../../src/editor/platform/window';
import { answering } from '../../settled';

describe('An input in several steps', () => {
  const left: string[] = [];
  const step = (value: string): InputStep => ({
    box: () => ({
      prompt: 'Any.',
      value,
      validateInput: (typed) => (typed === '' ? 'Nothing is typed.' : undefined),
    }),
    leave: (typed) => left.push(typed),
  });

  beforeEach(() => left.splice(0));

  it('hands over what was typed in each step', async () => {
    assert.equal(await answering(window.showSteps('Any', [step('a'), step('b'), step('c')]), 'accept'), true);
    assert.deepEqual(left, ['a', 'b', 'c']);
  });

  it('hands over what was typed before it is closed', async () => {
    assert.equal(await answering(window.showSteps('Any', [step('a'), step('b')]), 'cancel'), false);
    assert.deepEqual(left, ['a']);
  });
});
