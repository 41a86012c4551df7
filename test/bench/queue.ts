// npm run bench:queue: how long ten thousand imports take to be queued and shown, and after their window was killed, how
// long the next one takes from its start to the first byte of what was left. Prints a table; the aim is 2 s for either.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../editor/runProcess';
import { temporaryFolder } from '../editor/temporaryFolder';
import { exitOnSignals } from '../editor/undoAtExit';
import { bundleBench } from './bundleBench';
import { startReceiver } from './startReceiver';
import { median, printTable } from './table';

const files = 10_000;
const runs = 3;

async function bench(): Promise<void> {
  const folder = temporaryFolder('di-bench').path;
  const program = await bundleBench('queueProgram');
  const filesFolder = join(folder, 'files');
  mkdirSync(filesFolder);
  for (let number = 0; number < files; number++) writeFileSync(join(filesFolder, `${number}.txt`), `file ${number}\n`);
  const { baseUrl } = await startReceiver();
  const measure = async (...args: string[]) =>
    Number(await runProcess(process.execPath, ['--no-warnings', program, ...args]));
  const added: number[] = [];
  const wentOn: number[] = [];
  for (let run = 0; run < runs; run++) {
    const store = join(folder, `store-${run}`);
    added.push(await measure('add', store, filesFolder));
    wentOn.push(await measure('goOn', store, baseUrl.href));
  }
  console.log(`${files} imports, ${runs} runs each, aimed at under 2 s:`);
  printTable([
    ['', 'median', 'worst'],
    ...[
      { what: 'queued and shown', ms: added },
      { what: 'gone on with after a kill', ms: wentOn },
    ].map(({ what, ms }) => [what, seconds(median(ms)), seconds(Math.max(...ms))]),
  ]);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

exitOnSignals();
bench().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
