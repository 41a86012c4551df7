import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type InspectedFile, inspectFile, settledTime, statFile } from '../../service/content/fileBody';
import { looksBinary } from '../../service/content/sourceBody';
import { SourceError } from '../../service/errors';

/** A file, or text that didn't come from a file on disk. */
export interface Source {
  readonly from: 'disk' | 'text';
  /** The path on disk, or the name of text that isn't from a file. */
  readonly path: string;
  /** The name of our own file that holds the text until the import is accepted. */
  readonly textFile?: string;
  /** The path relative to the workspace, or the file name if the file is outside it. */
  readonly relativePath: string;
  readonly name: string;
  readonly sizeBytes: number;
  /**
   * Milliseconds since 1970. Undefined if the file changed so recently that a later change could have the same
   * timestamp.
   */
  readonly modifiedMs?: number;
}

/** A source that can be queued. If it is text, its bytes are included. `isBinary` means that it doesn't look like text. */
export type CheckedSource = { readonly isBinary?: true } & (
  | { readonly source: Source & { readonly from: 'disk' } }
  | { readonly source: Source & { readonly from: 'text' }; readonly bytes: Uint8Array }
);

export interface FileToCheck extends Pick<Source, 'path' | 'relativePath'> {
  /** The path with symbolic links resolved, if known. */
  readonly realPath?: string;
}

/**
 * Checks a file before it is queued. A file that is in use or being written passes the check, because the import will
 * retry such a file. Never opens a file in `ownFolder`, because closing the task database here would drop the locks
 * that SQLite holds in the store's thread.
 * @throws SourceError if the file can't be imported
 */
export async function checkFile(file: FileToCheck, ownFolder?: string): Promise<CheckedSource> {
  const { path: filePath, relativePath, realPath } = file;
  const [stored, name] = [realPath ?? (await truePath(filePath)), path.basename(filePath)];
  if (ownFolder !== undefined && stored.startsWith(ownFolder + path.sep)) throw new SourceError('ownStorage', name);
  const look = await inspectFile(filePath, name).catch((error) => lookAtBusy(filePath, name, error));
  const { sizeBytes, modifiedMs, isBinary } = look;
  const time = modifiedMs === undefined ? {} : { modifiedMs };
  const source = { from: 'disk', path: stored, relativePath, name, sizeBytes, ...time } as const;
  return { source, ...(isBinary && { isBinary }) };
}

async function lookAtBusy(filePath: string, name: string, error: unknown): Promise<InspectedFile> {
  const isPassing = error instanceof SourceError && (error.reason === 'busy' || error.reason === 'changed');
  if (!isPassing) throw error;
  const { size, mtimeMs } = await statFile(filePath, name);
  return { sizeBytes: size, modifiedMs: settledTime(mtimeMs, Date.now()), isBinary: false };
}

/** The path that identifies a file. Symbolic links are resolved unless the file doesn't exist. */
export async function truePath(filePath: string): Promise<string> {
  return knownPath(filePath, await realpath(filePath).catch(() => filePath));
}

/**
 * On Windows, a DFS path or a network drive such as Z: resolves to a path on a different host, which VS Code may not
 * allow. Such a path stays unresolved, with a capitalized drive letter. On macOS, a name resolves to its stored Unicode
 * form, so we convert it to NFC, the form that VS Code uses.
 */
export function knownPath(given: string, resolved: string, platform = process.platform): string {
  if (platform === 'darwin') return resolved.normalize('NFC');
  const hostOf = (one: string) => /^\\\\[^\\]+/.exec(one)?.[0].toLowerCase();
  if (hostOf(given) === hostOf(resolved)) return resolved;
  return given.replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** Checks text before it is queued. @throws SourceError if it is empty */
export async function checkText(
  named: Pick<Source, 'name' | 'path' | 'relativePath'>,
  bytes: Uint8Array,
): Promise<CheckedSource> {
  const sizeBytes = bytes.byteLength;
  if (sizeBytes === 0) throw new SourceError('empty', named.name);
  const isBinary = looksBinary(Buffer.from(bytes.buffer, bytes.byteOffset, sizeBytes));
  const source = { from: 'text', ...named, textFile: randomUUID(), sizeBytes } as const;
  return { source, bytes, ...(isBinary && { isBinary }) };
}
