import assert from 'node:assert/strict';
import { profileWords } from '../../../../src/editor/sandbox/profileWords';
import { sandboxProfiles } from '../../../../src/sandbox/sandbox';

describe('The ways in which the sandbox can speak', () => {
  it('have a short title of their own and one sentence each', () => {
    const words = sandboxProfiles.map(profileWords);
    assert.equal(new Set(words.map(({ title }) => title)).size, sandboxProfiles.length);
    for (const { title, description } of words) {
      assert.match(title, /^[A-Z].{3,34}[^.]$/);
      assert.match(description, /^[A-Z][^.]+\.$/);
    }
  });
});
