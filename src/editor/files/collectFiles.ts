import { FileType, Uri, workspace } from 'vscode';
import { FileFilter, type FileRules } from '../../files/fileRules';
import { FolderWalk } from './folderWalk';
import { pathInWorkspace } from './pathInWorkspace';
import { truePath } from './truePath';

/** A file to import. */
export interface CollectedFile {
  readonly uri: Uri;
  /** The path inside the workspace, as VS Code shows it; the name where it is outside. */
  readonly relativePath: string;
  /** Whether it is on the deny list, or a link to what is, so that the user must be asked. */
  readonly isSensitive: boolean;
  /** Where the file itself is, if links lead out of the workspace or the chosen folder: the user must be asked. */
  readonly outside?: string;
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
  /** Links to folders, which are not followed. */
  readonly linkedFolders: number;
  /** Links to files that are not there. */
  readonly brokenLinks: number;
}

/**
 * Finds what is to be imported: the files that were chosen, whatever they are, and those in chosen folders as far as
 * the rules take them. What cannot be looked at counts as a file, so that its import says what is wrong. @throws the
 * signal's reason as soon as it aborts, whatever a disk is still at; PatternsTooComplexError
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
  const folders = uris.filter((_, index) => areFolders[index] === true);
  const filter = new FileFilter(rules);
  const walk = new FolderWalk(filter, rules.useIgnoreFiles, new Set(chosen.map(String)), signal);
  await walk.run(folders);
  const given = await Promise.all(chosen.map(async (uri) => ({ uri, truePath: await truePath(uri) })));
  const found = new Map([...given, ...walk.files].map((file) => [file.uri.toString(), file]));
  const places = await placesOf(folders);
  const files: CollectedFile[] = [];
  for (const { uri, truePath } of [...found.values()].sort((one, other) => inOrder(one.uri, other.uri))) {
    signal.throwIfAborted();
    const isLinked = truePath !== uri.path;
    const isSensitive = (await filter.isSensitive(uri.path)) || (isLinked && (await filter.isSensitive(truePath)));
    const mayLeadOut = isLinked && (isInWorkspace(uri) || !chosen.includes(uri));
    const leadsOut = mayLeadOut && !places.some((place) => isIn(place, truePath));
    const outside = leadsOut ? { outside: Uri.file(truePath).fsPath } : {};
    files.push({ uri, relativePath: pathInWorkspace(uri), isSensitive, ...outside });
  }
  const { leftOutFiles, leftOutFolders, linkedFolders, brokenLinks } = walk;
  return { files, unreadable: walk.unreadable.sort(inOrder), leftOutFiles, leftOutFolders, linkedFolders, brokenLinks };
}

/** Where files may be without a question: in the workspace, and in folders that were chosen outside of it. */
async function placesOf(chosenFolders: readonly Uri[]): Promise<string[]> {
  const open = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return Promise.all([...open, ...chosenFolders.filter((uri) => !isInWorkspace(uri))].map(truePath));
}

function isInWorkspace(uri: Uri): boolean {
  return workspace.getWorkspaceFolder(uri) !== undefined;
}

function isIn(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
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
