// A separate process that measures importing a folder.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { SourceError } from '../../src/service/errors';
import type { CheckedSource } from '../../src/tasks/sending/checkedSource';
import { Files } from '../../src/tasks/sending/files';
import { Gate } from '../../src/tasks/sending/gate';
import { Serving } from '../../src/tasks/sending/serving';
import { type ImportStore, openImportStore } from '../../src/tasks/store/importStore';
import { systemClock } from '../../src/tasks/timing/clock';
import { thisWindow } from '../../src/tasks/windowWatch';
import { wire } from '../unit/service/wire';
import { benchTarget } from './benchTarget';
import { printFigures } from './printFigures';

export interface Sent {
  readonly oursMs: number;
}

/** Imports a folder using the real worker threads. Imports one file first, so that all code is loaded. */
async function send(folder: string, files: string, baseUrl: string, atOnce: string): Promise<Sent> {
  const to = benchTarget(baseUrl);
  const path = join(folder, 'imports.sqlite');
  const window = thisWindow();
  const setup = { path, window };
  const opened = openImportStore(setup, { program: join(__dirname, 'importStoreProgram.js'), onSetAside: () => {} });
  let ends = 0;
  let onEnd = () => {};
  const store: ImportStore = new Proxy(opened, {
    get: (target, name) => {
      if (name !== 'end') return target[name as keyof ImportStore];
      return async (...args: Parameters<ImportStore['end']>) => {
        const ended = await target.end(...args);
        if (ended?.outcome !== 'accepted') throw new Error(`An import ended as ${ended?.outcome}`);
        ends += 1;
        onEnd();
        return ended;
      };
    },
  });
  const reader = new Files(join(__dirname, 'fileProgram.js'));
  const gate = new Gate(systemClock, () => Number(atOnce));
  const serving = new Serving({
    service: wire(),
    files: reader,
    store,
    window,
    clock: systemClock,
    textsFolder: join(folder, 'texts'),
    findTarget: async () => to,
    gateOf: () => gate,
    exists: () => existsSync(path),
    canServe: () => true,
    checking: () => [],
    onError: console.error,
  });
  serving.start();
  const importAll = async (paths: readonly string[]) => {
    ends = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    onEnd = () => ends === paths.length && resolve();
    const checked = await reader.check(paths.map((one) => ({ path: one, relativePath: basename(one) })));
    const destination = { dataset: 'Bench', origin: to.baseUrl.origin };
    const batch = { label: 'files', folder: files };
    const run = `${performance.now()}`;
    await serving.queue({ destination, run, batch, skipped: {}, files: checked.map(newImport) });
    await promise;
  };
  await importAll([__filename]);
  const paths = readdirSync(files).map((name) => join(files, name));
  const startedMs = performance.now();
  await importAll(paths);
  return { oursMs: performance.now() - startedMs };
}

function newImport(checked: CheckedSource | SourceError) {
  if (!('source' in checked)) throw checked;
  const { path, name, relativePath, sizeBytes, modifiedMs = null } = checked.source;
  return { path, name, relativePath, sizeBytes, modifiedMs, sha256: null, textFile: null, seen: null };
}

const [folder = '', files = '', baseUrl = '', atOnce = ''] = process.argv.slice(2);
printFigures(send(folder, files, baseUrl, atOnce));
