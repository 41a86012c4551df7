import assert from 'node:assert/strict';
import { checkNode } from '../../../../src/editor/start/loader';

describe('The Node version of an editor', () => {
  it('is named if it is too old for the extension (with the versions of other editors)', () => {
    for (const version of ['20.19.5', '22.18.0', '18.20.8'])
      assert.throws(() => checkNode(version), { message: new RegExp(`on Node.js ${version}, and 22.19 or later`) });
  });

  it('is fine from 22.19 on, as in every supported VS Code', () => {
    for (const version of ['22.19.0', '22.22.1', '24.0.0']) checkNode(version);
    checkNode();
  });
});
