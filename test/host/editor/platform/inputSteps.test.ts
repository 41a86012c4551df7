import assert from 'node:assert/strict';
import { type InputStep, window } from '../../../../src/editor/platform/window';
import { answering } from '../../settled';

describe('An input in several steps', () => {
  const left: string[] = [];
  const step = (value: string, isNeeded?: () => boolean, leave = (): void => {}): InputStep => ({
    ...(isNeeded && { isNeeded }),
    box: () => ({
      prompt: 'Any.',
      value,
      validateInput: (typed) => (typed === '' ? 'Nothing is typed.' : undefined),
    }),
    leave: (typed) => {
      left.push(typed);
      leave();
    },
  });

  beforeEach(() => left.splice(0));

  it('leaves out what is not needed', async () => {
    const steps = [step('a'), step('b', () => false), step('c')] as const;
    assert.equal(await answering(window.showSteps('Any', steps), 'accept'), true);
    assert.deepEqual(left, ['a', 'c']);
  });

  it('comes to the last step also where the one before turns out not to be needed', async () => {
    let isNeeded = true;
    const forget = () => {
      isNeeded = false;
    };
    const steps = [step('a'), step('b', () => isNeeded, forget), step('c')] as const;
    assert.equal(await answering(window.showSteps('Any', steps), 'accept'), true);
    assert.deepEqual(left, ['a', 'b', 'c']);
  });

  it('hands over what was typed where it is closed', async () => {
    assert.equal(await answering(window.showSteps('Any', [step('a'), step('b')]), 'cancel'), false);
    assert.deepEqual(left, ['a']);
  });
});
