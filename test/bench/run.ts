// `npm run bench` runs the benchmarks named on the command line, or all of them. With --short, each takes only a few
// seconds, just to check that it works. The command fails if a benchmark is broken, but never because it is slow.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { exitOnSignals } from '../editor/undoAtExit';
import { activation } from './activation';
import { changes } from './changes';
import { type Comparison, printComparison } from './comparison';
import { folder } from './folder';
import { following } from './following';
import { importStore } from './importStore';
import { largeFile } from './largeFile';
import { manyFiles } from './manyFiles';
import { reading } from './reading';

const benches: Readonly<Record<string, (short: boolean) => Promise<readonly Comparison[]>>> = {
  activation,
  changes,
  folder,
  following,
  'import-store': importStore,
  'large-file': largeFile,
  'many-files': manyFiles,
  reading,
};

/** A short benchmark that takes longer than this is considered hung. */
const hangsAfterMs = 600_000;

async function runBenches(names: readonly string[], short: boolean): Promise<void> {
  for (const name of names) {
    const bench = benches[name];
    if (!bench) throw new Error(`There is no benchmark "${name}". Choose from ${Object.keys(benches).join(', ')}.`);
    console.log(`\n=== ${name}`);
    const limit = short
      ? setTimeout(() => fail(new Error(`"${name}" has not ended in time.`)), hangsAfterMs)
      : undefined;
    const loadBefore = load();
    const comparisons = await bench(short);
    clearTimeout(limit);
    if (comparisons.length === 0) throw new Error(`"${name}" measured nothing.`);
    console.log(`${availableParallelism()} cores, load average ${loadBefore} before and ${load()} after`);
    for (const comparison of comparisons) printComparison(comparison);
  }
}

/** The machine's load average over the last minute. */
function load(): string {
  return (loadavg()[0] ?? Number.NaN).toFixed(1);
}

function fail(error: Error): void {
  console.error(error.message);
  process.exit(1);
}

exitOnSignals();
const { values, positionals } = parseArgs({ options: { short: { type: 'boolean' } }, allowPositionals: true });
const names = positionals.length > 0 ? positionals : Object.keys(benches);
runBenches(names, values.short ?? false).then(() => process.exit(0), fail);
