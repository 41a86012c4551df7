import { existsSync, globSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EditorVersion, newestEditor, oldestEditor } from '../editor/editorVersions';
import { findBrowser } from '../editor/findBrowser';
import { installEditor } from '../editor/installEditor';
import { buildExtension, packageExtension } from './build';
import { compileTests } from './compileTests';
import { projectFolder } from './project';
import { runHost } from './runHost';
import { runMocha } from './runMocha';
import type { Suite } from './suite';

/** Selects tests; empty strings select all. */
export interface Selection {
  /** Part of a test file's path. */
  readonly path: string;
  /** A pattern that full test titles must match. */
  readonly grep: string;
}

interface Plan {
  readonly title: string;
  readonly files: readonly string[];
  /** The time limit for each test. */
  readonly timeoutMs: number;
  /** Undefined if the tests don't need an editor. */
  readonly editor?: EditorVersion | 'desktop';
  /** Whether the tests run in the extension host, instead of driving the editor from outside. */
  readonly isInHost?: boolean;
  /** Whether the tests install the VSIX. */
  readonly needsVsix?: boolean;
  /** How many processes the files are split among. */
  readonly workers?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const walk = existing('test/e2e/firstImport.test.ts');
const firstUse = existing('test/e2e/firstUse.test.ts');

/**
 * Tests in which a simulated user adds sample services and tracks their tasks. They run only in the oldest editor, because they
 * are the slowest host tests.
 */
const shapes = existing('test/host/editor/mapping/shapes/shapes.test.ts');

/**
 * Host tests for everything that depends on the editor version: startup, settings, secrets, dialogs, documents, files,
 * views, Node, SQLite, the rows that are passed to commands, and one complete import.
 */
const editorDependent = [
  ...glob('test/host'),
  ...[
    'commandTargets',
    'lazyTree',
    'shell',
    'platform/documents',
    'platform/inputBox',
    'platform/messages',
    'platform/settings',
    'platform/withDelayedProgress',
    'datasets/accessKeys',
    'importing/collect',
    'importing/importCommands',
    'importing/importFiles',
    'importing/unsavedFiles',
    'tasksView/details',
    'tasksView/tasksView',
  ].map((name) => existing(`test/host/editor/${name}.test.ts`)),
  shapes,
];

const plans = {
  unit: {
    title: 'Unit tests',
    files: glob('test/unit/**'),
    timeoutMs: 60_000,
    workers: 2,
    env: { TMPDIR: fastTemporaryFolder() },
  },
  host: {
    title: `Host tests in VS Code ${newestEditor.vscode}`,
    files: glob('test/host/**').filter((file) => file !== shapes),
    timeoutMs: 60_000,
    editor: newestEditor,
    isInHost: true,
  },
  walk: {
    title: 'A walk through the installed VSIX',
    files: [walk],
    timeoutMs: 240_000,
    editor: newestEditor,
    needsVsix: true,
  },
  hostOldest: {
    title: `Host tests in VS Code ${oldestEditor.vscode}`,
    files: editorDependent,
    timeoutMs: 60_000,
    editor: oldestEditor,
    isInHost: true,
  },
  e2e: {
    title: `End-to-end tests in VS Code ${newestEditor.vscode}`,
    files: glob('test/e2e/**').filter((file) => file !== walk),
    timeoutMs: 240_000,
    editor: newestEditor,
    needsVsix: true,
  },
  e2eOldest: {
    title: `First use in VS Code ${oldestEditor.vscode}`,
    files: [firstUse],
    timeoutMs: 240_000,
    editor: oldestEditor,
    needsVsix: true,
  },
  kill: {
    title: 'Killed extension hosts',
    files: glob('test/kill/**'),
    timeoutMs: 300_000,
    editor: newestEditor,
    env: { KILL_SEED: process.env['KILL_SEED'] ?? '7' },
  },
  races: { title: 'Races', files: glob('test/races/**'), timeoutMs: 300_000 },
  posts: { title: 'Many imports over few connections', files: glob('test/posts/**'), timeoutMs: 600_000 },
  desktop: {
    title: 'Host tests in a desktop VS Code',
    files: glob('test/host/**'),
    timeoutMs: 60_000,
    editor: 'desktop',
    isInHost: true,
  },
} satisfies Record<string, Plan>;

type PlanName = keyof typeof plans;

/** The parts that run.ts accepts as arguments: `npm test` runs the first one, and `npm run test:all` the first two. */
export const parts = {
  test: ['unit', 'host', 'walk'],
  rest: ['hostOldest', 'e2e', 'e2eOldest', 'kill', 'races', 'posts'],
  unit: ['unit'],
  host: ['host'],
  e2e: ['walk', 'e2e'],
  kill: ['kill'],
  desktop: ['desktop'],
} satisfies Record<string, readonly PlanName[]>;

export type PartName = keyof typeof parts;

/**
 * The suites in these parts that have selected test files. All suites share one build and one installation of each
 * editor.
 */
export function suitesOf(partNames: readonly PartName[], selection: Selection): Suite[] {
  const wanted = new Set<PlanName>(partNames.flatMap((name) => parts[name]));
  const selected = [...wanted]
    .map((name): Plan => plans[name])
    .map((plan) => ({ ...plan, files: plan.files.filter((file) => file.includes(selection.path)) }))
    .filter(({ files }) => files.length > 0);
  const compiled = once(compileTests);
  // If any suite needs the VSIX, build only the VSIX, because the host tests also work with a production build.
  const built = once(selected.some(({ needsVsix }) => needsVsix) ? packageExtension : buildExtension);
  const browser = once(findBrowser);
  const installed = {
    [newestEditor.vscode]: once(() => installEditor(newestEditor)),
    [oldestEditor.vscode]: once(() => installEditor(oldestEditor)),
  };

  const suiteOf = (plan: Plan): Suite => {
    const { title, files, timeoutMs, editor, workers = 1, env } = plan;
    const { grep } = selection;
    return {
      title,
      files,
      lane: editor === undefined ? 'processor' : 'editor',
      async run(eventsFile) {
        const needs =
          editor === undefined ? [] : [built(), browser(), editor === 'desktop' || installed[editor.vscode]?.()];
        const [folder] = await Promise.all([compiled(), ...needs]);
        const compiledFiles = files.map((file) => join(folder, file.replace(/\.ts$/, '.js')));
        if (plan.isInHost && editor)
          return await runHost({ compiled: folder, editor, files: compiledFiles, grep }, eventsFile);
        const order = { compiled: folder, files: compiledFiles, timeoutMs, workers, grep };
        await runMocha(
          { ...order, ...(editor && editor !== 'desktop' && { editor }), ...(env && { env }) },
          eventsFile,
        );
      },
    };
  };
  return selected.map(suiteOf);
}

/**
 * The test files in a folder, largest first, so that no worker starts a long file after the other workers have
 * finished.
 */
function glob(pattern: string): string[] {
  const files = globSync(`${pattern}/*.test.ts`, { cwd: projectFolder });
  if (files.length === 0) throw new Error(`allSuites.ts lists ${pattern}, which has no test files.`);
  return files.sort((one, other) => statSync(other).size - statSync(one).size);
}

/**
 * A temporary folder in memory if there is enough space, because fsync on a disk took up half of the unit tests' time.
 */
function fastTemporaryFolder(): string {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 1024 ** 3 ? inMemory : tmpdir();
}

/** @throws Error if the file was moved or renamed, because its tests would otherwise silently stop running */
function existing(file: string): string {
  if (!existsSync(join(projectFolder, file))) throw new Error(`allSuites.ts lists ${file}, which does not exist.`);
  return file;
}

function once<T>(get: () => Promise<T>): () => Promise<T> {
  let got: Promise<T> | undefined;
  return () => {
    got ??= get();
    return got;
  };
}
