import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { Loader } from '../../../../src/editor/start/loader';

describe('The loader', () => {
  afterEach(() => commands.executeCommand('notifications.clearAll'));

  it('loads once, however many callers there are', async () => {
    let loads = 0;
    const loader = new Loader(async () => ++loads);
    assert.equal(loader.begun, undefined);
    assert.deepEqual(await Promise.all([loader.get(), loader.get()]), [1, 1]);
    assert.equal(await loader.get(), 1);
    assert.equal(await loader.begun, 1);
  });

  it('does not try again after a failure, because parts of it may have run', async () => {
    let loads = 0;
    const loader = new Loader(async () => {
      loads++;
      throw new Error('no such file');
    });
    await assert.rejects(loader.get(), /no such file/);
    await assert.rejects(loader.get(), /no such file/);
    assert.equal(loads, 1);
  });
});
