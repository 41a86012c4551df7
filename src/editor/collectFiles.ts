import { FileType, type Uri, workspace } from 'vscode';
import { FileJudge, type FileRules } from '../tasks/fileRules';
import { FolderWalk, type FoundFile } from './folderWalk';
import { pathInWorkspace } from './pathInWorkspace';
import { truePath } from './truePath';

/** A file to import. */
export interface CollectedFile {
  readonly uri: Uri;
  /** The path inside the workspace, as VS Code shows it; the name where it is outside. */
  readonly relativePath: string;
  /** Whether it is on the deny list, or a link to what is, so that the user must be asked. */
  readonly isSensitive: boolean;
}

/** What became of files and folders that were chosen. */
export interface CollectedFiles {
  /** Each once, by their paths in order of code units. */
  readonly files: readonly CollectedFile[];
  /** The folders that could not be read; what is in them is missing. */
  readonly unreadable: readonly Uri[];
  /** Files in the folders that were left out by a glob, an ignore file or their ending. */
  readonly leftOutFiles: number;
  /** Folders that were left out with all that is in them, uncounted. */
  readonly leftOutFolders: number;
}

/**
 * Finds what is to be imported: the files that were chosen, whatever they are, and those in chosen folders as far as
 * the rules take them. What cannot be looked at counts as a file, so that its import says what is wrong.
 * @throws the signal's reason as soon as it aborts, whatever a disk is still at
 */
export async function collectFiles(
  uris: readonly Uri[],
  rules: FileRules,
  signal: AbortSignal,
): Promise<CollectedFiles> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([collect(uris, rules, signal), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function collect(uris: readonly Uri[], rules: FileRules, signal: AbortSignal): Promise<CollectedFiles> {
  const areFolders = await Promise.all(uris.map(isFolder));
  const chosen = uris.filter((_, index) => areFolders[index] === false);
  const judge = new FileJudge(rules);
  const walk = new FolderWalk(judge, rules.useIgnoreFiles, new Set(chosen.map(String)), signal);
  await walk.run(uris.filter((_, index) => areFolders[index] === true));
  const given = await Promise.all(chosen.map(async (uri) => ({ uri, truePath: await truePath(uri) })));
  const files = new Map([...given, ...walk.files].map((file) => [file.uri.toString(), file]));
  return {
    files: [...files.values()].sort((one, other) => inOrder(one.uri, other.uri)).map((file) => collected(file, judge)),
    unreadable: walk.unreadable.sort(inOrder),
    leftOutFiles: walk.leftOutFiles,
    leftOutFolders: walk.leftOutFolders,
  };
}

async function isFolder(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.Directory) !== 0;
  } catch {
    return false;
  }
}

function inOrder({ path: one }: Uri, { path: other }: Uri): number {
  return one < other ? -1 : Number(one > other);
}

function collected({ uri, truePath }: FoundFile, judge: FileJudge): CollectedFile {
  const isSensitive = judge.isSensitive(uri.path) || (truePath !== uri.path && judge.isSensitive(truePath));
  return { uri, relativePath: pathInWorkspace(uri), isSensitive };
}
