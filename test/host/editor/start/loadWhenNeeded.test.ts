import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { commands, type Disposable } from 'vscode';
import { Loader } from '../../../../src/editor/start/loader';
import { loadWhenNeeded } from '../../../../src/editor/start/loadWhenNeeded';
import { setUserSetting } from '../../userSettings';

describe('What nobody asks for', () => {
  let folder: string;
  let store: string;
  let waiting: Disposable;
  let rest: Loader<void>;
  let loaded: Promise<void>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'di-start-'));
    store = join(folder, 'imports.sqlite');
    const { promise, resolve } = Promise.withResolvers<void>();
    loaded = promise;
    rest = new Loader(async () => resolve());
  });

  afterEach(async () => {
    waiting.dispose();
    rmSync(folder, { recursive: true });
    await setUserSetting('datasetImport.datasets', undefined);
    await setUserSetting('datasetImport.sandbox.startAutomatically', undefined);
    await commands.executeCommand('notifications.clearAll');
  });

  it('loads nothing while there is nothing to do', async () => {
    await setUserSetting('datasetImport.datasets', [{ name: 'Good', baseUrl: 'https://good.example' }]);
    waiting = loadWhenNeeded(rest, store);
    await turn();
    // As long as it takes to look at the settings.
    await import('../../../../src/editor/start/hasDatasetFaults');
    await turn();
    assert.equal(rest.begun, undefined);
  });

  it('loads what takes over imports, where there is a task database', async () => {
    writeFileSync(store, '');
    waiting = loadWhenNeeded(rest, store);
    assert.equal(rest.begun, undefined, 'the activation itself is not held up');
    await loaded;
  });

  it('loads it for a task database that another window makes later', async () => {
    waiting = loadWhenNeeded(rest, store);
    await turn();
    await turn();
    writeFileSync(store, '');
    await loaded;
  });

  it('loads what warns of a dataset that cannot be used, from before and from now', async () => {
    waiting = loadWhenNeeded(rest, store);
    await setUserSetting('datasetImport.datasets', [{ name: 'Bad', baseUrl: 'http://bad.example' }]);
    await loaded;
    waiting.dispose();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = loadWhenNeeded(new Loader(async () => resolve()), store);
    await promise;
  });

  it('loads the sandbox that the settings start', async () => {
    await setUserSetting('datasetImport.sandbox.startAutomatically', true);
    waiting = loadWhenNeeded(rest, store);
    await loaded;
  });
});
