import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Disposable } from 'vscode';
import { Lazy, loadWhenNeeded } from '../../../src/editor/shell';
import { setUserSetting } from '../userSettings';

describe("The extension's engine", () => {
  let folder: string;
  let database: string;
  let waiting: Disposable;
  let engine: Lazy<void>;
  let loaded: Promise<void>;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'di-start-'));
    database = join(folder, 'imports.sqlite');
    const { promise, resolve } = Promise.withResolvers<void>();
    loaded = promise;
    engine = new Lazy(async () => resolve());
  });

  afterEach(async () => {
    waiting?.dispose();
    rmSync(folder, { recursive: true });
    await setUserSetting('datasetImport.sandbox.startAutomatically', undefined);
  });

  it('is loaded after activation if there is a task database, because it may contain unfinished imports', async () => {
    writeFileSync(database, '');
    waiting = loadWhenNeeded(engine, database);
    assert.equal(engine.made, undefined, 'activation must not wait');
    await loaded;
  });

  it('is not loaded while there is nothing to do, and is loaded when another window creates a task database', async () => {
    waiting = loadWhenNeeded(engine, database);
    await turn();
    await turn();
    assert.equal(engine.made, undefined);
    writeFileSync(database, '');
    await loaded;
  });

  it('is loaded if the sandbox is set to start automatically', async () => {
    await setUserSetting('datasetImport.sandbox.startAutomatically', true);
    waiting = loadWhenNeeded(engine, database);
    await loaded;
  });

  it('is loaded only once for all callers, even if loading fails', async () => {
    let loads = 0;
    const failing = new Lazy(async () => {
      loads++;
      throw new Error('no such file');
    });
    const calls = await Promise.allSettled([failing.get(), failing.get()]);
    assert.deepEqual([calls.map(({ status }) => status), loads], [['rejected', 'rejected'], 1]);
  });
});
