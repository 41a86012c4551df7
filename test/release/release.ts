// `npm run release` runs all tests, and writes the VSIX, its SHA-256 and the version's release notes to dist/release. It fails
// if anything is uncommitted or a test fails.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../editor/runProcess';
import { exitOnSignals } from '../editor/undoAtExit';
import { projectFolder, vsixFile } from '../suites/project';
import { cleanCommitSeconds } from './cleanCommitSeconds';
import { releaseNotes } from './releaseNotes';

async function release(): Promise<void> {
  const seconds = await cleanCommitSeconds();
  const { name, version, repository } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  const notes = releaseNotes(readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8'), version);
  const tests = spawnSync('npm', ['run', '--silent', 'test:all'], { cwd: projectFolder, stdio: 'inherit' });
  if (tests.status !== 0) throw new Error('The tests have failed.');
  const [first, second] = [await pack(seconds), await pack(seconds)];
  if (first !== second) throw new Error(`Two packages of the same commit differ: ${first} and ${second}.`);
  const folder = join(projectFolder, 'dist', 'release');
  mkdirSync(folder, { recursive: true });
  const file = `${name}-${version}.vsix`;
  copyFileSync(vsixFile, join(folder, file));
  writeFileSync(join(folder, `${file}.sha256`), `${first}  ${file}\n`);
  writeFileSync(join(folder, 'notes.md'), notes);
  console.log(`Made ${join(folder, file)}\nSHA-256 ${first}`);
  if (repository === undefined) console.log('Before you publish it, complete package.json as CONTRIBUTING.md says.');
}

/** Packages the extension with this timestamp, and returns the VSIX's SHA-256. */
async function pack(seconds: number): Promise<string> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(seconds) };
  await runProcess('npm', ['run', '--silent', 'package'], { cwd: projectFolder, env });
  return createHash('sha256').update(readFileSync(vsixFile)).digest('hex');
}

exitOnSignals();
release().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
