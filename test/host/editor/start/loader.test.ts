import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { Loader } from '../../../../src/editor/start/loader';

describe('What is loaded when it is first needed', () => {
  afterEach(() => commands.executeCommand('notifications.clearAll'));

  it('is loaded once, whoever needs it at the same time or later', async () => {
    let loads = 0;
    const loader = new Loader(async () => ++loads);
    assert.equal(loader.begun, undefined);
    assert.deepEqual(await Promise.all([loader.get(), loader.get()]), [1, 1]);
    assert.equal(await loader.get(), 1);
    assert.equal(await loader.begun, 1);
  });

  it('is not begun again after it failed, as a part of it may be there', async () => {
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
