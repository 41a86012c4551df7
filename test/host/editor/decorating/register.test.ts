import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Disposable, type FileDecorationProvider } from 'vscode';
import { registerDecorating } from '../../../../src/editor/decorating/register';
import { newTask } from '../../../../src/tasks/trackedTask';
import { activated, type Parts } from '../../activated';
import { type OwnList, ownList } from '../../answeredTasks';
import { setUserSetting } from '../../userSettings';

describe('The provider of decorations', () => {
  let parts: Parts;
  let own: OwnList;
  let providers: FileDecorationProvider[];
  let decorating: Disposable;

  beforeEach(async () => {
    parts = await activated();
    own = ownList();
    providers = [];
  });

  afterEach(async () => {
    decorating.dispose();
    assert.deepEqual(providers, []);
    own.dispose();
    await setUserSetting('datasetImport.decorations', undefined);
  });

  it('is registered once there is a task database, which it does not make', async () => {
    begin();
    assert.equal(providers.length, 0);
    assert.equal(exists(), false);
    await own.list.add([newTask({ dataset: 'Manuals', createdMs: 0, phase: { kind: 'queued' } })]);
    assert.equal(providers.length, 1);
    await own.list.add([newTask({ dataset: 'Manuals', createdMs: 0, phase: { kind: 'queued' } })]);
    assert.equal(providers.length, 1);
  });

  it('is not registered where no files are to be decorated, and as soon as some are', async () => {
    await setUserSetting('datasetImport.decorations', 'none');
    await own.list.loaded();
    begin();
    assert.equal(providers.length, 0);
    await setUserSetting('datasetImport.decorations', 'all');
    const [first] = providers;
    assert.ok(first);
    await setUserSetting('datasetImport.decorations', 'changes');
    assert.equal(providers.length, 1);
    assert.notEqual(providers[0], first, 'VS Code does not ask again');
    await setUserSetting('datasetImport.decorations', 'none');
    assert.equal(providers.length, 0);
  });

  function begin(): void {
    decorating = registerDecorating({ ...parts, list: own.list, contents: own.contents }, exists, (provider) => {
      providers.push(provider);
      return new Disposable(() => {
        providers = providers.filter((other) => other !== provider);
      });
    });
  }

  function exists(): boolean {
    return existsSync(join(own.folder, 'tasks.sqlite'));
  }
});
