import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { commands } from 'vscode';
import { DatasetsTree } from '../../src/editor/datasets/datasetsTree';
import { Webhooks } from '../../src/editor/datasets/webhooks';
import { AccessKeys } from '../../src/editor/datasets/accessKeys';
import { Datasets } from '../../src/editor/datasets/datasets';
import { textBody } from '../../src/service/content/sourceBody';
import { activated, extension, type Parts } from './activated';
import { globalDispatchers } from './globalDispatchers';
import { MemoryMemento, MemorySecrets } from './memoryStorage';

// Run before all others (index.ts), which load what these tests must find unloaded.
describe('Activation', () => {
  const distFolder = join(extension().extensionPath, 'dist');
  const dispatchers = globalDispatchers();
  let parts: Parts;

  it('loads dist/extension.js and nothing beside it', async () => {
    const { begun } = await extension().activate();
    assert.equal(begun, undefined);
    assert.deepEqual(loadedFrom(distFolder), ['extension.js']);
    assert.doesNotMatch(readFileSync(join(distFolder, 'extension.js'), 'utf8'), /~standard/, 'valibot is in it');
    for (const name of [
      'parts.js',
      'hasDatasetFaults.js',
      'undici.js',
      'form-data.js',
      'fileProgram.js',
      'sandbox.js',
    ]) {
      assert.ok(existsSync(join(distFolder, name)), `${name} is not there to be loaded later`);
    }
  });

  it('leaves the parts to the first command, and makes them once', async () => {
    await Promise.all([
      commands.executeCommand('datasetImport.showLog'),
      commands.executeCommand('datasetImport.showLog'),
    ]);
    assert.deepEqual(loadedFrom(distFolder), ['extension.js', 'parts.js']);
    parts = await activated();
    assert.equal(await activated(), parts);
  });

  it('reads no secret, neither when the parts are made nor when they change', async () => {
    const secrets = new MemorySecrets();
    const keys = new AccessKeys(secrets);
    const datasets = new Datasets(keys, new MemoryMemento());
    const webhooks = new Webhooks(new MemoryMemento());
    const tree = new DatasetsTree(datasets, keys, webhooks);
    await tree.getChildren();
    assert.deepEqual(secrets.reads, []);
    for (const part of [tree, webhooks, datasets, keys]) part.dispose();
  });

  it('never loads node:sqlite on the thread that all extensions share, also where the tasks are needed', async () => {
    await parts.list.loaded();
    assert.equal(parts.store.exists, true);
    assert.equal(isSqliteLoaded(), false);
  });

  it('leaves undici and form-data to the first request, which leaves the process-wide dispatchers as they were', async () => {
    const dataset = await parts.sandbox.start();
    assert.deepEqual(loadedFrom(distFolder), ['extension.js', 'parts.js', 'sandbox.js']);
    const target = await parts.datasets.target(dataset.name);
    assert.ok(target);
    const source = { relativePath: 'notes.txt', open: async () => textBody('notes.txt', Buffer.from('notes')) };
    const outcome = await parts.service.fileTask(target, source, { signal: new AbortController().signal });
    assert.equal(outcome.kind, 'accepted');
    await parts.sandbox.stop();
    assert.deepEqual(loadedFrom(distFolder), ['extension.js', 'form-data.js', 'parts.js', 'sandbox.js', 'undici.js']);
    for (const [index, descriptor] of globalDispatchers().entries()) {
      assert.equal(descriptor?.value, dispatchers[index]?.value, `slot ${index + 1}`);
      assert.equal(descriptor?.writable, dispatchers[index]?.writable, `slot ${index + 1}`);
    }
  });
});

function loadedFrom(folder: string): string[] {
  return Object.keys(require.cache)
    .filter((file) => dirname(file) === folder)
    .map((file) => basename(file))
    .sort();
}

/** Tells by Node's own list, which names built-in modules as they are loaded. */
function isSqliteLoaded(): boolean {
  const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] };
  return moduleLoadList.some((name) => /sqlite/.test(name));
}
