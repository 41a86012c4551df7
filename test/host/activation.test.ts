import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { commands } from 'vscode';
import { DatasetsTree } from '../../src/editor/datasets/datasetsTree';
import { textBody } from '../../src/service/content/sourceBody';
import { activated, type Engine, extension } from './activated';
import { ownDatasets } from './ownDatasets';

// index.ts runs these tests first, because the other tests load more modules.
describe('The extension', () => {
  const distFolder = join(extension().extensionPath, 'dist');
  const dispatchers = globalDispatchers();
  let engine: Engine;

  it('loads only dist/extension.js when it is activated', async () => {
    const { made } = await extension().activate();
    assert.equal(made, undefined);
    assert.deepEqual(loadedFrom(distFolder), ['extension.js']);
    assert.doesNotMatch(readFileSync(join(distFolder, 'extension.js'), 'utf8'), /~standard/, 'valibot is in it');
    for (const name of ['engine.js', 'undici.js', 'form-data.js', 'fileProgram.js', 'sandbox.js']) {
      assert.ok(existsSync(join(distFolder, name)), `${name} is missing in dist`);
    }
  });

  it('builds its engine only once, when the first command runs', async () => {
    await Promise.all([
      commands.executeCommand('datasetImport.showLog'),
      commands.executeCommand('datasetImport.showLog'),
    ]);
    assert.deepEqual(loadedFrom(distFolder), ['engine.js', 'extension.js']);
    engine = await activated();
    assert.equal(await activated(), engine);
  });

  it('does not read secrets until it needs an access key', async () => {
    const own = ownDatasets([{ name: 'Manuals', baseUrl: 'https://import.example' }]);
    const tree = new DatasetsTree(own.datasets, own.keys);
    await tree.getChildren();
    assert.deepEqual(own.secrets.reads, []);
    for (const part of [tree, own]) part.dispose();
  });

  it('loads undici and form-data only when it sends its first request, and leaves global dispatchers unchanged', async () => {
    const dataset = await engine.sandbox.start();
    assert.deepEqual(loadedFrom(distFolder), ['engine.js', 'extension.js', 'sandbox.js']);
    const target = (await engine.datasets.target(dataset.name)) ?? assert.fail();
    const source = { relativePath: 'notes.txt', open: async () => textBody('notes.txt', Buffer.from('notes')) };
    const outcome = await engine.service.fileTask(target, source, { signal: new AbortController().signal });
    assert.equal(outcome.kind, 'accepted');
    await engine.sandbox.stop();
    assert.deepEqual(loadedFrom(distFolder), ['engine.js', 'extension.js', 'form-data.js', 'sandbox.js', 'undici.js']);
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

/**
 * undici's two global dispatchers, which all extensions share. Each is undefined if it isn't set. Reading them doesn't
 * load undici.
 */
function globalDispatchers(): readonly (PropertyDescriptor | undefined)[] {
  return [1, 2].map((slot) =>
    Object.getOwnPropertyDescriptor(globalThis, Symbol.for(`undici.globalDispatcher.${slot}`)),
  );
}
