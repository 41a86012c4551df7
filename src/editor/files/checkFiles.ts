import path from 'node:path';
import * as vscode from 'vscode';
import { SourceError } from '../../service/errors';
import { type CheckedSource, checkFile, checkText, MAX_HELD_BYTES } from '../../tasks/sending/sources';
import { mapWithConcurrency } from '../../tasks/timing/mapWithConcurrency';
import { formatSize } from '../platform/formatNumbers';
import { formatSource } from '../platform/formatOutcome';
import { UserError } from '../platform/userError';
import type { CollectedFile } from './collectFiles';

/** How many files are looked at at once. */
const AT_ONCE = 16;

/** What looking at files has shown. */
export interface FileCheck {
  readonly good: readonly CheckedSource[];
  /** What cannot be imported, each in a sentence that names the file. */
  readonly bad: readonly string[];
}

/** The content of a file whose place is not told. */
export interface UnsavedText {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Looks at every file before anything is sent. `maxBytes` is the size above which none is imported; `maxHeldBytes` how
 * much of those that are on no disk may be taken into memory together.
 */
export async function checkFiles(
  files: readonly CollectedFile[],
  maxBytes: number,
  signal: AbortSignal,
  maxHeldBytes: number = MAX_HELD_BYTES,
): Promise<FileCheck> {
  const room: Room = { leftBytes: maxHeldBytes };
  const looks = await mapWithConcurrency(files, AT_ONCE, (file) => {
    signal.throwIfAborted();
    return lookAt(() => check(file, maxBytes, room), maxBytes);
  });
  return sorted(looks);
}

/** Looks at texts that came without a place, as at files. */
export async function checkTexts(texts: readonly UnsavedText[], maxBytes: number): Promise<FileCheck> {
  const looks = texts.map(({ name, bytes }) =>
    lookAt(() => checkText({ name, path: name, relativePath: name }, bytes), maxBytes),
  );
  return sorted(await Promise.all(looks));
}

/**
 * The text that is selected in an editor, as one to be imported: several parts in the order in which they stand, each
 * on a line of its own. @throws SourceError where it is empty, UserError where it is larger than `maxBytes`
 */
export async function checkSelection(
  { document, selections }: vscode.TextEditor,
  maxBytes: number,
): Promise<CheckedSource> {
  const parts = selections.filter(({ isEmpty }) => !isEmpty).sort((one, other) => one.start.compareTo(other.start));
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const text = parts.map((part) => document.getText(part)).join(eol);
  const name = selectionName(documentName(document), parts);
  const look = await lookAt(
    () => checkText({ name, path: document.uri.toString(true), relativePath: name }, Buffer.from(text)),
    maxBytes,
  );
  if (typeof look === 'string') throw new UserError(look);
  return look;
}

/** How much more may be taken into memory. */
interface Room {
  leftBytes: number;
}

/** What can be imported, or a sentence that says why not. */
type OneLook = CheckedSource | string;

function sorted(looks: readonly OneLook[]): FileCheck {
  return {
    good: looks.filter((look) => typeof look !== 'string'),
    bad: looks.filter((look) => typeof look === 'string'),
  };
}

async function lookAt(look: () => Promise<OneLook>, maxBytes: number): Promise<OneLook> {
  try {
    const one = await look();
    if (typeof one === 'string' || one.source.sizeBytes <= maxBytes) return one;
    return formatTooLarge(one.source.name, one.source.sizeBytes, maxBytes);
  } catch (error) {
    if (error instanceof SourceError) return formatSource(error);
    throw error;
  }
}

/** Says that a file is larger than the setting allows. */
export function formatTooLarge(name: string, sizeBytes: number, maxBytes: number): string {
  return vscode.l10n.t(
    "'{0}' is too large: {1}, and datasetImport.maxFileSizeMB allows {2}.",
    name,
    formatSize(sizeBytes),
    formatSize(maxBytes),
  );
}

/** Says that the memory has no room for a file that is on no disk. */
export function formatNoRoom(name: string): string {
  return vscode.l10n.t(
    "'{0}' is left out: files that are on no disk wait in memory, {1} of them at most. Import it once the others were sent.",
    name,
    formatSize(MAX_HELD_BYTES),
  );
}

async function check({ uri, relativePath }: CollectedFile, maxBytes: number, room: Room): Promise<OneLook> {
  if (uri.scheme === 'file') return checkFile(uri.fsPath, relativePath);
  const name = path.posix.basename(uri.path);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isUntitled) {
    const named = documentName(open);
    return checkText({ name: named, path: uri.toString(true), relativePath: named }, Buffer.from(open.getText()));
  }
  try {
    // What is too large is not to fill the memory first.
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes) return formatTooLarge(name, size, maxBytes);
    if (size > room.leftBytes) return formatNoRoom(name);
    room.leftBytes -= size;
    const bytes = await vscode.workspace.fs.readFile(uri);
    // Not every file system knows the size before.
    room.leftBytes += size - bytes.byteLength;
    if (room.leftBytes < 0) {
      room.leftBytes += bytes.byteLength;
      return formatNoRoom(name);
    }
    return await checkText({ name, path: uri.toString(true), relativePath }, bytes);
  } catch (cause) {
    if (cause instanceof SourceError) throw cause;
    const code = cause instanceof vscode.FileSystemError ? cause.code : '';
    throw new SourceError(
      code === 'FileNotFound' ? 'missing' : code === 'FileIsADirectory' ? 'folder' : 'unreadable',
      name,
      { cause },
    );
  }
}

/** What a document is called as a file: one that was never saved gets an ending. */
function documentName({ uri, isUntitled }: vscode.TextDocument): string {
  const name = path.posix.basename(uri.path);
  return isUntitled && path.posix.extname(name) === '' ? `${name}.txt` : name;
}

function selectionName(name: string, parts: readonly vscode.Selection[]): string {
  const [first] = parts;
  const ending = path.posix.extname(name);
  const stem = name.slice(0, name.length - ending.length);
  const which =
    first === undefined || parts.length > 1 ? vscode.l10n.t('{0} selections', parts.length) : formatLines(first);
  return `${stem}, ${which}${ending}`;
}

function formatLines({ start, end }: vscode.Selection): string {
  // What ends before the first character of a line has nothing of it.
  const last = end.character === 0 ? end.line - 1 : end.line;
  return start.line >= last
    ? vscode.l10n.t('line {0}', start.line + 1)
    : vscode.l10n.t('lines {0}-{1}', start.line + 1, last + 1);
}
