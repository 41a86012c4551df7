import path from 'node:path';
import * as vscode from 'vscode';
import { SourceError } from '../service/errors';
import { type CheckedSource, checkFile, checkText } from '../tasks/sources';
import type { CollectedFile } from './collectFiles';
import { sizeWords, sourceWords } from './words';

/** How many files are looked at at once. */
const AT_ONCE = 16;

/** What looking at files has shown. */
export interface Look {
  readonly good: readonly CheckedSource[];
  /** What cannot be imported, each in a sentence that names the file. */
  readonly bad: readonly string[];
}

/** Looks at every file before anything is sent. `maxBytes` is the size above which none is imported. */
export async function lookAtFiles(
  files: readonly CollectedFile[],
  maxBytes: number,
  signal: AbortSignal,
): Promise<Look> {
  const looks: (CheckedSource | string)[] = new Array(files.length);
  const waiting = files.entries();
  const lookOn = async () => {
    for (const [index, file] of waiting) {
      signal.throwIfAborted();
      looks[index] = await lookAt(file, maxBytes);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookOn));
  return {
    good: looks.filter((look) => typeof look !== 'string'),
    bad: looks.filter((look) => typeof look === 'string'),
  };
}

/** The text that is selected in an editor, as one to be imported. @throws SourceError where it is empty */
export function lookAtSelection({ document, selections }: vscode.TextEditor): Promise<CheckedSource> {
  const parts = selections.filter(({ isEmpty }) => !isEmpty);
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const text = parts.map((part) => document.getText(part)).join(eol);
  const name = selectionName(documentName(document), parts);
  return checkText({ name, path: document.uri.toString(true), relativePath: name }, Buffer.from(text));
}

async function lookAt({ uri, relativePath }: CollectedFile, maxBytes: number): Promise<CheckedSource | string> {
  try {
    const checked = await check(uri, relativePath);
    const { name, sizeBytes } = checked.source;
    if (sizeBytes <= maxBytes) return checked;
    return vscode.l10n.t(
      "'{0}' is too large: {1}, and datasetImport.maxFileSizeMB allows {2}.",
      name,
      sizeWords(sizeBytes),
      sizeWords(maxBytes),
    );
  } catch (error) {
    if (error instanceof SourceError) return sourceWords(error);
    throw error;
  }
}

async function check(uri: vscode.Uri, relativePath: string): Promise<CheckedSource> {
  if (uri.scheme === 'file') return checkFile(uri.fsPath, relativePath);
  const name = path.posix.basename(uri.path);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isUntitled) {
    const named = documentName(open);
    return checkText({ name: named, path: uri.toString(true), relativePath: named }, Buffer.from(open.getText()));
  }
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
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
    first === undefined || parts.length > 1 ? vscode.l10n.t('{0} selections', parts.length) : linesWords(first);
  return `${stem}, ${which}${ending}`;
}

function linesWords({ start, end }: vscode.Selection): string {
  return start.line === end.line
    ? vscode.l10n.t('line {0}', start.line + 1)
    : vscode.l10n.t('lines {0}-{1}', start.line + 1, end.line + 1);
}
