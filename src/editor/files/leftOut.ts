import path from 'node:path';
import { env, l10n } from 'vscode';
import { formatCount } from '../platform/formatNumbers';
import type { CollectedFiles } from './collectFiles';
import { pathInWorkspace } from './filePaths';
import type { LeftOutPath, LeftOutReason } from './folderWalk';

/** What an import leaves out of what the user chose. */
export interface LeftOut {
  /** Each file and folder; of very many, only a part. */
  readonly items: readonly LeftOutItem[];
  /** How many more there are than are named. */
  readonly more: number;
  /** How many of all are files. */
  readonly files: number;
}

/** A file or folder that an import leaves out. */
export interface LeftOutItem {
  /** Its path, or a sentence that names it. */
  readonly name: string;
  /** Why, in a few words; empty where the name says it. */
  readonly why: string;
}

/** Max files, and max folders, that a sentence names. */
const NAMED = 3;

export const nothingLeftOut: LeftOut = { items: [], more: 0, files: 0 };

/** What the rules for folders left out of chosen ones. */
export function leftOutOf(collected: CollectedFiles): LeftOut {
  const items = collected.leftOut.map(({ uri, reason }) => ({
    name: pathInWorkspace(uri),
    why: formatLeftOutReason(reason, path.posix.basename(uri.path)),
  }));
  const { leftOutFiles, brokenLinks, leftOutFolders, linkedFolders, unreadable } = collected;
  const files = leftOutFiles + brokenLinks;
  const all = files + leftOutFolders + linkedFolders + unreadable.length;
  return { items, more: all - items.length, files };
}

/** What was not collected from chosen folders, in sentences. */
export function formatLeftOut(collected: CollectedFiles): string[] {
  const { leftOut, unreadable, leftOutFiles, leftOutFolders, linkedFolders, brokenLinks } = collected;
  const files = leftOutFiles + brokenLinks;
  const folders = leftOutFolders + linkedFolders + unreadable.length;
  const listed = (areFolders: boolean, count: number) =>
    formatNamed(
      leftOut.filter(({ isFolder }) => isFolder === areFolders),
      count,
    );
  return [...formatSkippedFiles(files, listed(false, files)), ...formatSkippedFolders(folders, listed(true, folders))];
}

function formatSkippedFiles(count: number, names: string): string[] {
  if (count === 0) return [];
  return [
    count === 1 ? l10n.t('Skipped 1 file: {0}.', names) : l10n.t('Skipped {0} files: {1}.', formatCount(count), names),
  ];
}

function formatSkippedFolders(count: number, names: string): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t('Skipped 1 folder: {0}.', names)
      : l10n.t('Skipped {0} folders: {1}.', formatCount(count), names),
  ];
}

/** The first of what is left out, each with the reason, and how many more there are. */
function formatNamed(leftOut: readonly LeftOutPath[], count: number): string {
  const named = leftOut.slice(0, NAMED).map(({ uri, reason }) => {
    const name = path.posix.basename(uri.path);
    return l10n.t('{0} ({1})', name, formatLeftOutReason(reason, name));
  });
  const more = count - named.length;
  const all = more > 0 ? [...named, l10n.t('{0} more', formatCount(more))] : named;
  return new Intl.ListFormat(env.language, { type: 'conjunction' }).format(all);
}

/** Why a file or folder of this name is left out, in a few words. */
function formatLeftOutReason(reason: LeftOutReason, name: string): string {
  switch (reason) {
    case 'extension': {
      const extension = path.posix.extname(name);
      return extension === ''
        ? l10n.t('it has no file extension')
        : l10n.t('{0} is not a listed file extension', extension);
    }
    case 'notIncluded':
      return l10n.t("not in the setting 'datasetImport.folders.include'");
    case 'excluded':
      return l10n.t("in the setting 'datasetImport.folders.exclude'");
    case 'ignored':
      return l10n.t('ignored by .gitignore');
    case 'linkedFolder':
      return l10n.t('link to a folder');
    case 'brokenLink':
      return l10n.t('broken link');
    case 'unreadable':
      return l10n.t('cannot be read');
  }
}
