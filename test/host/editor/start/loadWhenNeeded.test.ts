import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { commands, type Disposable } from 'vscode';
import { Loader } from '../../../../src/editor/start/loader';
import { loadWhenNeeded } from '../../../../src/editor/start/loadWhenNeeded';
import { setUserSetting } from '../../userSettings';

describe('Loading without being asked', () => {
  let folder: string;
  let store: string;
  let waiting: Disposable;
  let engine: Loader<void>;
  let loaded: Promise<void>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'di-start-'));
    store = join(folder, 'imports.sqlite');
    const { promise, resolve } = Promise.withResolvers<void>();
    loaded = promise;
    engine = new Loader(async () => resolve());
  });

  afterEach(async () => {
    waiting.dispose();
    rmSync(folder, { recursive: true });
    await setUserSetting('datasetImport.datasets', undefined);
    await setUserSetting('datasetImport.sandbox.startAutomatically', undefined);
    await commands.executeCommand('notifications.clearAll');
  });

  it('does not happen while there is nothing to do', async () => {
    await setUserSetting('datasetImport.datasets', [{ name: 'Good', baseUrl: 'https://good.example' }]);
    waiting = loadWhenNeeded(engine, store);
    await turn();
    // That is how long reading the settings takes.
    await import('../../../../src/editor/start/hasDatasetFaults');
    await turn();
    assert.equal(engine.begun, undefined);
  });

  it('happens if there is a task database, which may have imports to take over', async () => {
    writeFileSync(store, '');
    waiting = loadWhenNeeded(engine, store);
    assert.equal(engine.begun, undefined, 'activation must not wait');
    await loaded;
  });

  it('happens once another window creates a task database', async () => {
    waiting = loadWhenNeeded(engine, store);
    await turn();
    await turn();
    writeFileSync(store, '');
    await loaded;
  });

  it('happens to warn about a faulty dataset, whether it was there before or is added now', async () => {
    waiting = loadWhenNeeded(engine, store);
    await setUserSetting('datasetImport.datasets', [{ name: 'Bad', baseUrl: 'http://bad.example' }]);
    await loaded;
    waiting.dispose();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = loadWhenNeeded(new Loader(async () => resolve()), store);
    await promise;
  });

  it('happens if the settings start the sandbox', async () => {
    await setUserSetting('datasetImport.sandbox.startAutomatically', true);
    waiting = loadWhenNeeded(engine, store);
    await loaded;
  });
});
