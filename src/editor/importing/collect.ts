import { basename, dirname } from 'node:path/posix';
import { commands, FileType, l10n, Uri, workspace } from 'vscode';
import { type FileRules, sensitiveTest } from '../../files/fileRules';
import { realPathOf } from '../../tasks/sending/fileOperations';
import { inSlices } from '../../tasks/timing/inSlices';
import { mapWithConcurrency } from '../../tasks/timing/mapWithConcurrency';
import { UserError } from '../platform/actions';
import { formatCount, formatSentences, naturally } from '../platform/format';
import { fileRules } from '../platform/settings';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Candidate, Chosen, ChosenText } from './candidate';
import { diskPath, exists, isIn, pathInWorkspace, storedPath, truePath, workspaceUris } from './filePaths';
import { FolderWalk, MATCHED_AT_ONCE, type SkippedPath } from './folderWalk';
import { formatSkipped } from './notes';

/** The files and text that the user chose. */
export interface Collected {
  /** Sorted folder by folder in natural order, as in the Explorer. Text candidates come last. */
  readonly candidates: readonly Candidate[];
  /** Files and folders that the rules skip, up to a limit. */
  readonly skipped: readonly SkippedPath[];
  readonly skippedCount: number;
  /** The chosen folders, with their stored paths. */
  readonly folders: readonly { readonly uri: Uri; readonly path: string }[];
  /** Stored paths of files that no longer exist. */
  readonly missing: readonly string[];
  readonly unread: readonly string[];
  /** Whether any files were found by searching chosen folders. */
  readonly isSearched: boolean;
}

/**
 * Finds the chosen files. Shows how many files have been found so far. Returns undefined if the user cancels. For Import
 * Changes…, may return no files unless the known files are given.
 * @throws UserError if there are no files
 */
export function collect(chosen: Chosen): Promise<Collected | undefined> {
  return withDelayedProgress(l10n.t('Looking for files'), async (signal, report) => {
    const onFound = (count: number) => report(l10n.t('{0} found', formatCount(count)));
    const found = await findFiles(chosen, fileRules, signal, onFound);
    const { candidates, unread, missing } = found;
    const needsKnown = chosen.onlyChanges === true && chosen.known === undefined;
    if (candidates.length + unread.length + missing.length > 0 || needsKnown) return found;
    const run = () => commands.executeCommand('workbench.action.openSettings', 'datasetImport.folders');
    const settings = { label: l10n.t('Open Settings'), run };
    throw new UserError(formatSentences([formatNone(chosen.uris), ...formatSkipped(found)]), [settings]);
  });
}

/**
 * Finds the chosen files. In chosen folders, finds the files that match the workspace folder's rules. Treats an
 * unreadable path as a file, so that the check that follows reports why it can't be read.
 */
export async function findFiles(
  { uris = [], texts = [], unread = [], names, known = [] }: Chosen,
  rulesOf: (folder?: Uri) => FileRules,
  signal: AbortSignal,
  onFound: (files: number) => void = () => {},
): Promise<Collected> {
  signal.throwIfAborted();
  const areFolders = await Promise.all(uris.map(isFolder));
  const folders = uris.filter((_, index) => areFolders[index]);
  const files = uris.filter((_, index) => !areFolders[index]);
  const uriOf = await workspaceUris();
  const located = await mapWithConcurrency(known, 8, async (stored) => {
    signal.throwIfAborted();
    const uri = uriOf(stored);
    if (uri.scheme !== 'file') return (await exists(uri)) ? { uri, truePath: uri.path } : undefined;
    // The file may have been replaced by a link.
    const real = await realPathOf(stored);
    return real === undefined ? undefined : { uri, truePath: Uri.file(real).path };
  });
  const present = located.filter((one) => one !== undefined);
  const given = await Promise.all(files.map(async (uri) => ({ uri, truePath: await truePath(uri) })));
  const chosen = new Set([...present, ...given].map(({ uri }) => uri.toString()));
  const walk = new FolderWalk(rulesOf, chosen, signal, onFound);
  await walk.run(folders);
  signal.throwIfAborted();
  const found = [...given, ...walk.files];
  const targets = new Set(found.flatMap(({ uri, truePath: target }) => (uri.path === target ? [] : [target])));
  // List a link instead of its target, unless the target is in the chosen folders, too.
  const isListed = ({ uri, truePath }: (typeof present)[number]) =>
    !targets.has(truePath) || folders.some((folder) => isIn(folder, uri));
  const all = [...present.filter(isListed), ...found];
  const isSensitive = sensitiveTest(rulesOf());
  const roots = await allowedRoots(folders);
  /**
   * Whether a symbolic link points outside the workspace and the chosen folders. False if the link itself is outside
   * the workspace and the user chose it directly.
   */
  const leadsOut = (uri: Uri, stored: Uri) =>
    uri.path !== stored.path &&
    !roots.some((root) => isIn(root, stored)) &&
    (isInWorkspace(uri) || !files.includes(uri));
  const candidates = new Map<string, Candidate>();
  for await (const slice of inSlices(all, MATCHED_AT_ONCE))
    for (const { uri, truePath } of slice) {
      const stored = uri.with({ path: truePath });
      const hasSecrets = isSensitive(uri.path) || (truePath !== uri.path && isSensitive(truePath));
      const outside = leadsOut(uri, stored) ? [l10n.t('stored in {0}', stored.fsPath)] : [];
      candidates.set(uri.toString(), {
        uri,
        ...(stored.scheme === 'file' && { path: diskPath(stored) }),
        name: basename(uri.path),
        relativePath: pathInWorkspace(uri, folders),
        ...names?.get(uri.toString()),
        sizeBytes: 0,
        care: [...formatSecrets(hasSecrets), ...outside],
      });
    }
  return {
    candidates: [...(await sorted([...candidates.values()])), ...texts.map((text) => textCandidate(text, isSensitive))],
    skipped: walk.skipped,
    skippedCount: walk.skippedCount,
    folders: await Promise.all(folders.map(async (uri) => ({ uri, path: await storedPath(uri) }))),
    missing: known.filter((_, index) => located[index] === undefined),
    unread,
    isSearched: walk.files.length > 0,
  };
}

function textCandidate({ name, bytes, uri }: ChosenText, isSensitive: (path: string) => boolean): Candidate {
  const hasSecrets = isSensitive(name) || (uri !== undefined && isSensitive(uri.path));
  return { name, relativePath: name, bytes, sizeBytes: bytes.byteLength, care: formatSecrets(hasSecrets) };
}

function formatSecrets(hasSecrets: boolean): string[] {
  return hasSecrets ? [l10n.t('may contain secrets')] : [];
}

/** The workspace folders, and any chosen folders outside them. */
function allowedRoots(chosenFolders: readonly Uri[]): Promise<Uri[]> {
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

function formatNone(uris: readonly Uri[] = []): string {
  const [first] = uris;
  return uris.length === 1 && first !== undefined
    ? l10n.t("There are no files to import in '{0}'.", basename(first.path))
    : l10n.t('There are no files to import in these folders.');
}

/**
 * Sorts a few folders at a time and yields to the event loop in between, because sorting 100,000 names in natural order
 * takes half a second.
 */
async function sorted(files: readonly Candidate[]): Promise<readonly Candidate[]> {
  const byFolder = [...Map.groupBy(files, ({ relativePath }) => dirname(relativePath))];
  byFolder.sort(([one], [other]) => naturally.compare(one, other));
  const inOrder: Candidate[][] = [];
  for await (const slice of inSlices(byFolder, 2))
    for (const [, some] of slice) inOrder.push(some.sort((one, other) => naturally.compare(one.name, other.name)));
  return inOrder.flat();
}
