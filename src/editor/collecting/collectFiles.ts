import { FileType, type Uri, workspace } from 'vscode';
import { FileMatcher } from '../../files/fileMatcher';
import type { FileRules } from '../../files/fileRules';
import { inSlices } from '../../tasks/timing/inSlices';
import { isIn, pathInWorkspace, truePath } from './filePaths';
import { FolderWalk, type FoundFile, type LeftOutPath, MATCHED_AT_ONCE } from './folderWalk';

/** A file to import. */
export interface CollectedFile {
  readonly uri: Uri;
  /** The same with links resolved, as far as they could be. */
  readonly stored: Uri;
  /** As {@link pathInWorkspace} names it. */
  readonly relativePath: string;
  /** Whether the file, or the target of the link, may hold secrets. The user is asked before it is imported. */
  readonly isSensitive: boolean;
  /**
   * Where a link leads, if that is outside the workspace and the chosen folders. The user is asked before the file is
   * imported.
   */
  readonly outside?: string;
}

export interface CollectedFiles {
  /** Without duplicates, ordered by path in code units. */
  readonly files: readonly CollectedFile[];
  /** What was left out, and why; of very much, only a part. Ordered by path. */
  readonly leftOut: readonly LeftOutPath[];
  /** How many files were left out, broken links among them. */
  readonly leftOutFiles: number;
  /** How many folders were left out; the files in them are not counted. */
  readonly leftOutFolders: number;
}

/**
 * Collects the chosen files, and those files of the chosen folders that the rules include: those of their workspace
 * folder, or of the window without one. A path that cannot be read is collected as a file, so that its check reports the
 * reason. `onFound` gets the number of files in folders, again and again. `known` are files, by their real paths, that are
 * collected whatever the rules say.
 * @throws the signal's reason where it aborts
 */
export async function collectFiles(
  uris: readonly Uri[],
  rulesOf: (folder?: Uri) => FileRules,
  signal: AbortSignal,
  onFound: (files: number) => void = () => {},
  known: readonly Uri[] = [],
): Promise<CollectedFiles> {
  signal.throwIfAborted();
  const matching = new FileMatcher(rulesOf().sensitive);
  const areFolders = await Promise.all(uris.map(isFolder));
  const chosen = uris.filter((_, index) => areFolders[index] === false);
  const folders = uris.filter((_, index) => areFolders[index] === true);
  const walk = new FolderWalk(rulesOf, matching, new Set([...chosen, ...known].map(String)), signal, onFound);
  await walk.run(folders);
  signal.throwIfAborted();
  const given = await Promise.all(chosen.map(async (uri) => ({ uri, truePath: await truePath(uri) })));
  const asKnown = known.map((uri) => ({ uri, truePath: uri.path }));
  const found = new Map<string, FoundFile>();
  for await (const some of inSlices([...asKnown, ...given, ...walk.files]))
    for (const file of some) found.set(file.uri.toString(), file);
  const roots = await allowedRoots(folders);
  const sorted = [...found.values()].sort((one, other) => inOrder(one.uri, other.uri));
  const files: CollectedFile[] = [];
  for await (const slice of inSlices(sorted, MATCHED_AT_ONCE)) {
    for (const { uri, truePath } of slice) {
      const isLinked = truePath !== uri.path;
      const isSensitive = matching.isSensitive(uri.path) || (isLinked && matching.isSensitive(truePath));
      const isByUser = !isLinked || (chosen.includes(uri) && !isInWorkspace(uri));
      const stored = uri.with({ path: truePath });
      const isOutside = !isByUser && !roots.some((root) => isIn(root, stored));
      const outside = isOutside ? { outside: stored.fsPath } : {};
      files.push({ uri, stored, relativePath: pathInWorkspace(uri, folders), isSensitive, ...outside });
    }
  }
  const { leftOutFiles, leftOutFolders } = walk;
  const leftOut = walk.leftOut.sort((one, other) => inOrder(one.uri, other.uri));
  return { files, leftOut, leftOutFiles, leftOutFolders };
}

/** The workspace folders and the chosen folders outside of them. */
async function allowedRoots(chosenFolders: readonly Uri[]): Promise<Uri[]> {
  const open = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const roots = [...open, ...chosenFolders.filter((uri) => !isInWorkspace(uri))];
  return Promise.all(roots.map(async (uri) => uri.with({ path: await truePath(uri) })));
}

function isInWorkspace(uri: Uri): boolean {
  return workspace.getWorkspaceFolder(uri) !== undefined;
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
