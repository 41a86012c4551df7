import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../../editor/runProcess';
import { temporaryFolder } from '../../editor/temporaryFolder';
import type { MochaOrder } from '../../suites/mochaProcess';
import { eventsVariable, type TestEvent } from '../../suites/recorder';
import { type Results, runSuites, type Suite } from '../../suites/suite';

const test = { title: 'A gate opens', file: 'gate.test.js', ms: 1 };
const passed: TestEvent = { kind: 'passed', test };
const failed: TestEvent = { kind: 'failed', test, error: 'Error: it is closed' };
const ended: TestEvent = { kind: 'ended' };

describe('A test suite', () => {
  it('counts passed, failed and skipped tests, and prints failures with their errors', async () => {
    const { results, printed } = await runOne(writing(passed, failed, { kind: 'skipped', test }, passed, ended));
    assert.equal(results.passed.length, 2);
    assert.equal(results.skipped, 1);
    assert.deepEqual(results.failures, ['Gates: A gate opens (gate.test.ts)']);
    assert.match(printed, /FAILED Gates: A gate opens\n {2}Error: it is closed/);
  });

  it('fails if its process exits early, and names the last test that finished', async () => {
    const { results, printed } = await runOne(writing(passed));
    assert.deepEqual(results.failures, ['Gates: died']);
    assert.match(printed, /ended before its tests, after A gate opens/);
  });

  it("fails and reports why if it can't start, while other suites still run", async () => {
    const broken: Suite['run'] = () => Promise.reject(new Error('There is no browser.'));
    const { results, printed } = await run([suite(broken), suite(writing(passed, ended), 'Doors')], false);
    assert.deepEqual(results.failures, ['Gates: could not run']);
    assert.match(printed, /There is no browser\./);
    assert.equal(results.passed.length, 1);
  });

  it('fails if it runs no tests, unless only some tests are selected', async () => {
    assert.deepEqual((await runOne(writing(ended))).results.failures, ['Gates: ran no tests']);
    const { results } = await run([suite(writing(ended))], true);
    assert.deepEqual(results.failures, []);
  });

  it('ends, and prints the error, if its process fails to clean up', async () => {
    const temporary = temporaryFolder('di-suite');
    const order: MochaOrder = { files: [join(__dirname, 'failingUndo.js')], timeoutMs: 1_000, workers: 1, grep: '' };
    const program = join(__dirname, '..', '..', 'suites', 'mochaProcess.js');
    const printed = await runProcess(process.execPath, [program, JSON.stringify(order)], {
      env: { ...process.env, [eventsVariable]: join(temporary.path, 'events.jsonl') },
    });
    assert.match(printed, /The folder is still in use\./);
    assert.match(printed, /Undone\./);
    temporary.remove();
  });
});

function writing(...events: readonly TestEvent[]): Suite['run'] {
  return async (file) => appendFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}

function suite(runTests: Suite['run'], title = 'Gates'): Suite {
  return { title, files: ['gate.test.ts'], lane: 'processor', run: runTests };
}

function runOne(runTests: Suite['run']): Promise<{ results: Results; printed: string }> {
  return run([suite(runTests)], false);
}

async function run(suites: readonly Suite[], isSelection: boolean): Promise<{ results: Results; printed: string }> {
  const printed: string[] = [];
  const results = await runSuites(suites, { isSelection, print: (text) => printed.push(text) });
  return { results, printed: printed.join('\n') };
}
