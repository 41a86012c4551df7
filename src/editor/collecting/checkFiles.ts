import path from 'node:path';
import * as vscode from 'vscode';
import { asSourceError, SourceError } from '../../service/errors';
import { partsOfList } from '../../tasks/history/walk';
import { type CheckedSource, checkText } from '../../tasks/sending/checkedSource';
import type { Sources } from '../../tasks/sending/sources';
import { mapWithConcurrency } from '../../tasks/timing/mapWithConcurrency';
import { formatSize } from '../platform/formatNumbers';
import { formatSource } from '../platform/formatOutcome';
import { UserError } from '../platform/userError';
import type { CollectedFile } from './collectFiles';

/** Max bytes of one import's files that are not on disk: they are in memory until they are queued. */
export const MAX_READ_BYTES = 256 * 1024 * 1024;

/** Max files on disk that are checked in one go. */
const CHECKED_AT_ONCE = 500;

/** Max other files that are read and checked at the same time. */
const CONCURRENT_CHECKS = 16;

/** The content of a file whose path is unknown. */
export interface UnsavedText {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What may differ from check to check. */
interface CheckOptions {
  /** Max total size of the files that are not on disk and are therefore read into memory. */
  readonly maxReadBytes?: number;
  /** Gets the number of files that are done, again and again. */
  readonly onChecked?: (files: number) => void;
}

/** A file of any file system. */
type FileHere = Pick<CollectedFile, 'uri' | 'relativePath'>;

/** A checked file, or a sentence that says why it cannot be imported. */
type CheckResult = CheckedSource | string;

interface CheckedFiles {
  readonly good: readonly CheckedSource[];
  /** Why each other file cannot be imported, in a sentence that names it. */
  readonly bad: readonly string[];
}

export function goodAndBad(results: Iterable<CheckResult>): CheckedFiles {
  const all = [...results];
  return {
    good: all.filter((result) => typeof result !== 'string'),
    bad: all.filter((result) => typeof result === 'string'),
  };
}

/** Checks every file before anything is sent; gives their results in their order. `maxBytes` is the max size of a file. */
export async function checkFiles<File extends FileHere>(
  sources: Pick<Sources, 'check'>,
  files: readonly File[],
  maxBytes: number,
  signal: AbortSignal,
  { maxReadBytes = MAX_READ_BYTES, onChecked = () => {} }: CheckOptions = {},
): Promise<ReadonlyMap<File, CheckResult>> {
  const memory: MemoryBudget = { leftBytes: maxReadBytes };
  const results = new Map<File, CheckResult>();
  const [onDisk, others] = [files.filter(isOnDisk), files.filter((file) => !isOnDisk(file))];
  for (const some of partsOfList(onDisk, CHECKED_AT_ONCE)) {
    signal.throwIfAborted();
    const checked = await sources.check(some.map(({ uri, relativePath }) => ({ path: uri.fsPath, relativePath })));
    for (const [index, result] of checked.entries()) results.set(some[index] as File, inWords(result, maxBytes));
    onChecked(results.size);
  }
  await mapWithConcurrency(others, CONCURRENT_CHECKS, async (file) => {
    signal.throwIfAborted();
    results.set(file, inWords(await readAndCheck(file, maxBytes, memory).catch(asSourceError), maxBytes));
  });
  return new Map(files.flatMap((file) => [[file, results.get(file) as CheckResult]]));
}

/** Checks texts as {@link checkFiles} does files. */
export async function checkTexts(texts: readonly UnsavedText[], maxBytes: number): Promise<CheckedFiles> {
  const results = texts.map(({ name, bytes }) =>
    checkText({ name, path: name, relativePath: name }, bytes).catch(asSourceError),
  );
  return goodAndBad((await Promise.all(results)).map((result) => inWords(result, maxBytes)));
}

/**
 * The selected text of an editor. Several selections are joined in the order of the document, each on its own line.
 * @throws UserError where it cannot be imported
 */
export async function checkSelection(
  { document, selections }: vscode.TextEditor,
  maxBytes: number,
): Promise<CheckedSource> {
  const parts = selections.filter(({ isEmpty }) => !isEmpty).sort((one, other) => one.start.compareTo(other.start));
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const text = parts.map((part) => document.getText(part)).join(eol);
  const name = selectionName(documentName(document), parts);
  const source = { name, path: document.uri.toString(true), relativePath: name };
  const result = inWords(await checkText(source, Buffer.from(text)).catch(asSourceError), maxBytes);
  if (typeof result === 'string') throw new UserError(result);
  return result;
}

interface MemoryBudget {
  leftBytes: number;
}

function isOnDisk({ uri }: FileHere): boolean {
  return uri.scheme === 'file';
}

function inWords(result: CheckResult | SourceError, maxBytes: number): CheckResult {
  if (result instanceof SourceError) return formatSource(result);
  if (typeof result === 'string' || result.source.sizeBytes <= maxBytes) return result;
  return formatTooLarge(result.source.name, result.source.sizeBytes, maxBytes);
}

export function formatTooLarge(name: string, sizeBytes: number, maxBytes: number): string {
  return vscode.l10n.t(
    "'{0}' is too large ({1}). The setting 'datasetImport.maxFileSizeMB' allows {2}.",
    name,
    formatSize(sizeBytes),
    formatSize(maxBytes),
  );
}

/** Why a file that is not on disk cannot be read into memory. */
export function formatNoMemory(name: string): string {
  return vscode.l10n.t(
    "'{0}' was skipped. Files that are not on disk are read into memory, {1} at a time. Import it after the others.",
    name,
    formatSize(MAX_READ_BYTES),
  );
}

async function readAndCheck(
  { uri, relativePath }: FileHere,
  maxBytes: number,
  memory: MemoryBudget,
): Promise<CheckResult> {
  const name = path.posix.basename(uri.path);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isUntitled) {
    const named = documentName(open);
    return checkText({ name: named, path: uri.toString(true), relativePath: named }, Buffer.from(open.getText()));
  }
  try {
    // Checks the size first, so that a large file is not read into memory.
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes) return formatTooLarge(name, size, maxBytes);
    if (size > memory.leftBytes) return formatNoMemory(name);
    memory.leftBytes -= size;
    const bytes = await vscode.workspace.fs.readFile(uri);
    // Some file systems report a wrong size.
    memory.leftBytes += size - bytes.byteLength;
    if (memory.leftBytes < 0) {
      memory.leftBytes += bytes.byteLength;
      return formatNoMemory(name);
    }
    return await checkText({ name, path: uri.toString(true), relativePath }, bytes);
  } catch (cause) {
    if (cause instanceof SourceError) throw cause;
    const code = cause instanceof vscode.FileSystemError ? cause.code : '';
    const reason = code === 'FileNotFound' ? 'missing' : code === 'FileIsADirectory' ? 'notFile' : 'unreadable';
    throw new SourceError(reason, name, { cause });
  }
}

/** The file name of a document. One that was never saved gets the extension .txt. */
function documentName({ uri, isUntitled }: vscode.TextDocument): string {
  const name = path.posix.basename(uri.path);
  return isUntitled && path.posix.extname(name) === '' ? `${name}.txt` : name;
}

function selectionName(name: string, parts: readonly vscode.Selection[]): string {
  const [first] = parts;
  const { name: stem, ext } = path.posix.parse(name);
  const which =
    first === undefined || parts.length > 1 ? vscode.l10n.t('{0} selections', parts.length) : formatLines(first);
  return `${stem}, ${which}${ext}`;
}

function formatLines({ start, end }: vscode.Selection): string {
  // A selection that ends at the start of a line contains nothing of that line.
  const last = end.character === 0 ? end.line - 1 : end.line;
  return start.line >= last
    ? vscode.l10n.t('line {0}', start.line + 1)
    : vscode.l10n.t('lines {0}-{1}', start.line + 1, last + 1);
}
