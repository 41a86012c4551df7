import assert from 'node:assert/strict';
import type { InputStep, Picks, StepBox } from '../../src/editor/platform/window';

/**
 * Goes through the steps of an input as a person does who types what `type` gives, and closes the box where it gives
 * nothing.
 */
export function typedSteps(type: (box: StepBox) => string | undefined): Picks['steps'] {
  return async (_title, steps: readonly InputStep[]) => {
    for (const step of steps) {
      const box = step.box();
      const typed = type(box);
      if (typed !== undefined) assert.equal(box.validateInput(typed), undefined);
      step.leave(typed ?? box.value);
      if (typed === undefined) return false;
    }
    return true;
  };
}
