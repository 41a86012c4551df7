import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { outFolder, projectFolder } from './project';
import type { Test, TestEvent } from './recorder';

/** Test files that run together. */
export interface Suite {
  readonly title: string;
  readonly files: readonly string[];
  /** Suites in a lane run one after another, because two editors running at once would slow each other down. */
  readonly lane: 'editor' | 'processor';
  /** Runs the tests, which append their events to the events file. Resolves even if tests fail. */
  run(eventsFile: string): Promise<void>;
}

export interface Results {
  readonly passed: readonly Test[];
  readonly skipped: number;
  /** One line for each failure. */
  readonly failures: readonly string[];
}

export interface RunOptions {
  /** Whether only some tests are selected. If so, every test is printed, and a suite may have no tests to run. */
  readonly isSelection: boolean;
  print(text: string): void;
}

const readMs = 200;
const progressMs = 10_000;

/** Runs both lanes at the same time. Prints failures immediately, and progress every ten seconds. */
export async function runSuites(suites: readonly Suite[], options: RunOptions): Promise<Results> {
  const running = new Set<Running>();
  const ended: Running[] = [];
  const runLane = async (lane: Suite['lane']): Promise<void> => {
    for (const suite of suites) {
      if (suite.lane !== lane) continue;
      const run = new Running(suite, options);
      running.add(run);
      await run.runToEnd();
      running.delete(run);
      ended.push(run);
    }
  };
  const reading = setInterval(() => {
    for (const run of running) run.read();
  }, readMs);
  const reporting = setInterval(() => {
    if (running.size > 0) options.print([...running].map((run) => run.progress()).join(' | '));
  }, progressMs);
  await Promise.all([runLane('processor'), runLane('editor')]);
  clearInterval(reading);
  clearInterval(reporting);
  return {
    passed: ended.flatMap(({ passed }) => passed),
    skipped: ended.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: ended.flatMap(({ failures }) => failures),
  };
}

/** A running suite, and what its events have reported so far. */
class Running {
  readonly passed: Test[] = [];
  readonly failures: string[] = [];
  skipped = 0;
  readonly #suite: Suite;
  readonly #options: RunOptions;
  readonly #eventsFile: string;
  readonly #beganMs = Date.now();
  readonly #filesSeen = new Set<string>();
  #linesRead = 0;
  #hasEnded = false;

  constructor(suite: Suite, options: RunOptions) {
    this.#suite = suite;
    this.#options = options;
    const folder = join(outFolder, 'events');
    mkdirSync(folder, { recursive: true });
    this.#eventsFile = join(folder, `${suite.title.replaceAll(/\W+/g, '-')}.${process.pid}.jsonl`);
  }

  async runToEnd(): Promise<void> {
    const { title, run } = this.#suite;
    this.#options.print(`=== ${title} (${this.#suite.files.length} files)`);
    rmSync(this.#eventsFile, { force: true });
    try {
      await run(this.#eventsFile);
    } catch (error) {
      this.#fail('could not run', (error as Error).message);
    }
    this.read();
    rmSync(this.#eventsFile, { force: true });
    const found = this.passed.length + this.skipped + this.failures.length;
    if (this.failures.length === 0 && !this.#hasEnded) {
      this.#fail('died', `The process ended before its tests, after ${this.passed.at(-1)?.title ?? 'no test'}.`);
    } else if (found === 0 && !this.#options.isSelection) this.#fail('ran no tests');
    const sum = `${this.passed.length} passed, ${this.failures.length} failed`;
    this.#options.print(`=== ${title}: ${sum}, ${this.#seconds()} s`);
  }

  read(): void {
    if (!existsSync(this.#eventsFile)) return;
    // The text after the last line break may be an incomplete line.
    const lines = readFileSync(this.#eventsFile, 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(this.#linesRead)) this.#add(JSON.parse(line));
    this.#linesRead = lines.length;
  }

  progress(): string {
    const failed = this.failures.length === 0 ? '' : `, ${this.failures.length} FAILED`;
    const files = `file ${this.#filesSeen.size} of ${this.#suite.files.length}`;
    return `${this.#suite.title}: ${files}, ${this.passed.length} passed${failed}, ${this.#seconds()} s`;
  }

  #add(event: TestEvent): void {
    if (event.kind === 'ended') {
      this.#hasEnded = true;
      return;
    }
    this.#filesSeen.add(event.test.file);
    if (event.kind === 'failed') {
      this.#fail(event.test.title, event.error, event.test.file);
      return;
    }
    if (this.#options.isSelection)
      this.#options.print(`  ${event.kind} ${event.test.title} (${Math.round(event.test.ms)} ms)`);
    if (event.kind === 'passed') this.passed.push(event.test);
    else this.skipped += 1;
  }

  #fail(what: string, why = '', file = ''): void {
    const { title } = this.#suite;
    this.failures.push(`${title}: ${what}${file === '' ? '' : ` (${sourceFile(file)})`}`);
    this.#options.print(`\nFAILED ${title}: ${what}\n${why.replaceAll(/^/gm, '  ')}\n`);
  }

  #seconds(): number {
    return Math.round((Date.now() - this.#beganMs) / 1000);
  }
}

/** The TypeScript source file for a compiled file, relative to the project. */
export function sourceFile(compiled: string): string {
  return compiled
    .replace(`${projectFolder}/`, '')
    .replace(/^out\/[^/]+\//, '')
    .replace(/\.js$/, '.ts');
}
