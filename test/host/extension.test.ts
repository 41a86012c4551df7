import assert from 'node:assert/strict';
import { extensions } from 'vscode';

describe('the extension', () => {
  it('activates', async () => {
    const extension = extensions.getExtension('dataset-import.dataset-import');
    assert.ok(extension, 'it is not installed');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
