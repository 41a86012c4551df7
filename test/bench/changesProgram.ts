// A separate process that measures how long it takes to find changed files. Its arguments are the store folder and the
// folder with the files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { compareFiles, compareKnown, LOOKED_UP_AT_ONCE, memoryOf } from '../../src/tasks/comparing/compareFiles';
import { Files } from '../../src/tasks/sending/files';
import { type ImportStore, openImportStore } from '../../src/tasks/store/importStore';
import { storePath } from '../../src/tasks/storePath';
import { thisWindow } from '../../src/tasks/windowWatch';
import { accepted, fileOf, requestOf } from '../unit/tasks/store/storeRequests';
import { printFigures } from './printFigures';

export interface ChangesFound {
  readonly foundMs: number;
  readonly blockMs: number;
}

const BENCH = { dataset: 'Bench', origin: 'https://bench.example' };

/** One in this many files is changed. */
const CHANGE_EVERY = 200;

/** Records all files in a folder as uploaded, changes some of them, and finds the changed files. */
async function findChanges(folder: string, filesFolder: string): Promise<ChangesFound> {
  const paths = readdirSync(filesFolder).map((name) => join(filesFolder, name));
  const window = thisWindow();
  const setup = { path: storePath(folder), window };
  const program = join(__dirname, 'importStoreProgram.js');
  const store = openImportStore(setup, { program, onSetAside: () => {} });
  const files = new Files(join(__dirname, 'fileProgram.js'));
  const { signal } = new AbortController();
  for (const some of chunksOf(paths)) await upload(store, window.id, some);
  const edited = paths.filter((_, index) => index % CHANGE_EVERY === 0);
  for (const path of edited) writeFileSync(path, `edited ${path}`);
  const memory = memoryOf(store, BENCH);
  let changed = 0;
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const startedMs = performance.now();
  for (const some of chunksOf(paths)) {
    const { files: known } = await memory.known({ paths: some });
    const compared = await compareKnown({ files, memory }, known, 0, signal);
    const others = some.filter((path) => compared.get(path)?.comparison !== 'unchanged');
    const checked = await files.check(others.map((path) => ({ path, relativePath: basename(path) })));
    const good = checked.flatMap((one) => ('source' in one ? [one] : []));
    const comparisons = await compareFiles({ files, memory }, good, signal);
    changed += [...comparisons.values()].filter(({ comparison }) => comparison === 'changed').length;
  }
  const foundMs = performance.now() - startedMs;
  if (changed !== edited.length) throw new Error(`${changed} of ${edited.length} changes were found.`);
  return { foundMs, blockMs: delays.max / 1e6 };
}

async function upload(store: ImportStore, window: string, paths: readonly string[]): Promise<void> {
  const sources = paths.map((path) => {
    const { size, mtimeMs } = statSync(path);
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    return fileOf(basename(path), { path, sizeBytes: size, modifiedMs: mtimeMs, sha256 });
  });
  const batch = { label: 'files', folder: null };
  const { imports } = await store.queue(requestOf(paths[0] ?? '', sources, { destination: BENCH, batch }));
  const begins = imports.flatMap((id, index) => {
    const { sizeBytes = 0, modifiedMs = null, sha256 = null } = sources[index] ?? {};
    return id === null ? [] : [{ import: id, attempt: `${window} ${id}`, content: { sizeBytes, modifiedMs, sha256 } }];
  });
  await store.begin(begins);
  await Promise.all(begins.map(({ attempt }) => store.end(accepted(attempt, attempt))));
}

function* chunksOf(paths: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < paths.length; from += LOOKED_UP_AT_ONCE) yield paths.slice(from, from + LOOKED_UP_AT_ONCE);
}

const [store = '', folder = ''] = process.argv.slice(2);
printFigures(findChanges(store, folder));
