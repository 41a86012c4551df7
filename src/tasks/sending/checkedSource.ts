import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { FileBody } from '../../service/content/fileBody';
import { assertText, type SourceBody, textBody } from '../../service/content/sourceBody';
import { SourceError } from '../../service/errors';
import type { Source } from '../trackedTask';

/** A source that was checked and can be queued; a text comes with its bytes. */
export type CheckedSource =
  | { readonly source: Source & { readonly from: 'disk' } }
  | { readonly source: Source & { readonly from: 'text' }; readonly bytes: Uint8Array };

/** A file that is to be checked. */
export interface FileToCheck {
  readonly path: string;
  /** The path inside the workspace. */
  readonly relativePath: string;
}

/**
 * Checks a file before anything is sent. Its path is the real one, as the disk has it: by that it is the same file, however
 * it is reached. A file in `ownFolder` is not even opened: closing the task database here would drop the locks that SQLite
 * holds in the store's thread. @throws SourceError where it cannot be imported
 */
export async function checkFile(filePath: string, relativePath: string, ownFolder?: string): Promise<CheckedSource> {
  const stored = await truePath(filePath);
  if (ownFolder !== undefined && stored.startsWith(ownFolder + path.sep))
    throw new SourceError('ownStorage', path.basename(filePath));
  const file = await FileBody.open(filePath);
  await file.close();
  const { name, sizeBytes, modifiedMs } = file;
  const time = modifiedMs === undefined ? {} : { modifiedMs };
  return { source: { from: 'disk', path: stored, relativePath, name, sizeBytes, ...time } };
}

/** The path with its links resolved; the same if there is nothing at it. */
export function truePath(filePath: string): Promise<string> {
  return realpath(filePath).catch(() => filePath);
}

/** A source as it was read, for its hash to its end: nothing is kept of what it was before. */
export function asRead(
  { modifiedMs: _time, sha256: _hash, ...named }: Source,
  { sizeBytes, modifiedMs }: SourceBody,
  sha256: string | undefined,
): Source {
  const time = named.from === 'disk' && modifiedMs !== undefined ? { modifiedMs } : {};
  return { ...named, sizeBytes, ...time, ...(sha256 !== undefined && { sha256 }) };
}

/** Checks a text before anything is sent; `path` names it. @throws SourceError where it cannot be imported */
export async function checkText(
  named: Pick<Source, 'name' | 'path' | 'relativePath'>,
  bytes: Uint8Array,
): Promise<CheckedSource> {
  await assertText(textBody(named.name, bytes));
  return { source: { from: 'text', ...named, textFile: randomUUID(), sizeBytes: bytes.byteLength }, bytes };
}
