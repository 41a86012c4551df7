import assert from 'node:assert/strict';
import { formatProfile } from '../../../../src/editor/sandbox/startSandbox';
import { sandboxProfiles } from '../../../../src/sandbox/sandbox';

describe('The ways in which the sandbox can speak', () => {
  it('have a short title of their own and a description each', () => {
    const words = sandboxProfiles.map(formatProfile);
    assert.equal(new Set(words.map(({ title }) => title)).size, sandboxProfiles.length);
    for (const { title, description } of words) {
      assert.match(title, /^[A-Z].{3,34}[^.]$/);
      assert.match(description, /^[A-Z].+\.$/);
    }
  });
});
