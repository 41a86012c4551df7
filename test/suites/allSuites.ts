import { globSync, statSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { type EditorVersion, newestEditor, oldestEditor } from '../editor/editorVersions';
import { bundleHostTests } from './bundleHostTests';
import { runHost } from './runHost';
import { runMocha } from './runMocha';
import type { Suite } from './suite';

/** Which tests are asked for; all where it is empty. */
export interface Selection {
  /** A part of their file's path. */
  readonly path?: string | undefined;
  /** A pattern that their full title matches. */
  readonly grep?: string | undefined;
}

type SuitesOf = (selection: Selection) => readonly Suite[] | Promise<readonly Suite[]>;

/** Among how many processes the end-to-end tests are dealt out. */
const END_TO_END_PROCESSES = 2;

const firstUse = 'test/e2e/firstUse.test.ts';

/**
 * The host tests of what depends on the version of the editor: its APIs, its Node, its SQLite, and an import from
 * its command to its end.
 */
const editorDependent = [
  'test/host/*.test.ts',
  'test/host/editor/{services,details,files,platform,start}/*.test.ts',
  'test/host/editor/importing/importing.test.ts',
  'test/host/editor/tree/tasksTree.test.ts',
];

/** The suites by the names that run.ts takes. */
export const allSuites = {
  unit: (selection) => [...globSync('test/unit/*').flatMap((room) => unit(room, selection)), ...posts({}, selection)],
  host: async (selection) => {
    const files = select('test/host/**/*.test.ts', selection);
    await bundleHostTests(files);
    return [...host(newestEditor, files, selection), ...host(oldestEditor, files.filter(dependsOnEditor), selection)];
  },
  kill: (selection) => kills(newestEditor, 8, selection),
  e2e: (selection) => [
    ...endToEnd(newestEditor, select('test/e2e/**/*.test.ts', selection), selection),
    ...endToEnd(oldestEditor, select(firstUse, selection), selection),
  ],
  /** What takes long and finds little that the others do not. */
  exhaustive: (selection) => [
    ...host(
      oldestEditor,
      select('test/host/**/*.test.ts', selection).filter((file) => !dependsOnEditor(file)),
      selection,
    ),
    ...posts({ POSTS: '100000' }, selection),
    ...kills(oldestEditor, 20, selection),
    ...endToEnd(
      oldestEditor,
      select('test/e2e/**/*.test.ts', selection).filter((file) => file !== firstUse),
      selection,
    ),
  ],
  desktop: async (selection) => {
    const files = select('test/host/**/*.test.ts', selection);
    await bundleHostTests(files);
    return host('desktop', files, selection);
  },
} satisfies Record<string, SuitesOf>;

export type SuiteName = keyof typeof allSuites;

function unit(room: string, { path, grep }: Selection): Suite[] {
  const files = select(`${room}/**/*.test.ts`, { path });
  if (files.length === 0) return [];
  return [{ title: `Unit tests: ${room}`, grep, run: (print) => runMocha({ files, timeoutMs: 60_000, grep }, print) }];
}

function posts(env: Readonly<Record<string, string>>, { path, grep }: Selection): Suite[] {
  const files = select('test/posts/*.test.ts', { path });
  if (files.length === 0) return [];
  const run: Suite['run'] = (print) => runMocha({ files, timeoutMs: 600_000, grep, env }, print);
  return [{ title: 'Many imports over few connections', grep, run }];
}

/** The files must have been bundled. */
function host(editor: EditorVersion | 'desktop', files: readonly string[], { grep }: Selection): Suite[] {
  if (files.length === 0) return [];
  const title = editor === 'desktop' ? 'a desktop VS Code' : `VS Code ${editor.vscode}`;
  return [{ title: `Host tests in ${title}`, grep, run: (print) => runHost({ editor, files, grep }, print) }];
}

function kills(editor: EditorVersion, count: number, { path, grep }: Selection): Suite[] {
  const files = select('test/kill/*.test.ts', { path });
  const env = { KILLS: String(count) };
  return files.map((file) => ({
    title: `Kills of the extension host of VS Code ${editor.vscode}`,
    grep,
    run: (print) => runMocha({ files: [file], timeoutMs: 300_000, editor, grep, env }, print),
  }));
}

/** Files of several processes, as each of which opens one editor and one browser for all of its files. */
function endToEnd(editor: EditorVersion, files: readonly string[], { grep }: Selection): Suite[] {
  return inShares(files, END_TO_END_PROCESSES).map((share, index) => ({
    title: `End-to-end tests in VS Code ${editor.vscode}, part ${index + 1}`,
    grep,
    run: (print) => runMocha({ files: share, timeoutMs: 240_000, editor, grep }, print),
  }));
}

/** Deals the files out into at most this many shares that are about as long as each other. */
function inShares(files: readonly string[], count: number): string[][] {
  const shares = Array.from({ length: Math.min(count, files.length) }, () => ({ bytes: 0, files: [] as string[] }));
  const bySize = files
    .map((file) => ({ file, bytes: statSync(file).size }))
    .sort((one, other) => other.bytes - one.bytes);
  for (const { file, bytes } of bySize) {
    const smallest = shares.reduce((one, other) => (other.bytes < one.bytes ? other : one));
    smallest.files.push(file);
    smallest.bytes += bytes;
  }
  return shares.map((share) => share.files);
}

function dependsOnEditor(file: string): boolean {
  return editorDependent.some((glob) => matchesGlob(file, glob));
}

function select(glob: string, { path = '' }: Selection): string[] {
  return globSync(glob)
    .filter((file) => file.includes(path))
    .sort();
}
