import path from 'node:path';
import { l10n } from 'vscode';
import type { CheckedSource } from '../../tasks/sending/sources';
import { formatCount } from '../platform/formatNumbers';
import type { CollectedFile, CollectedFiles } from './collectFiles';
import type { LeftOutReason } from './folderWalk';
import { pathInWorkspace } from './pathInWorkspace';

/** What an import leaves out of what the user chose. */
export interface LeftOut {
  /** The whole of it, in sentences. */
  readonly sentences: readonly string[];
  /** Each file and folder; of very many, only a part. */
  readonly items: readonly LeftOutItem[];
  /** The number of files. */
  readonly files: number;
}

/** A file or folder that an import leaves out. */
export interface LeftOutItem {
  /** Its path, or a sentence that names it. */
  readonly name: string;
  /** Why, in a few words; empty where the name says it. */
  readonly why: string;
}

export const nothingLeftOut: LeftOut = { sentences: [], items: [], files: 0 };

/** What was left out of chosen files and folders: by the rules for folders, and by the user, who confirmed the others. */
export function leftOutOf(collected: CollectedFiles, confirmed: readonly CollectedFile[]): LeftOut {
  const kept = new Set(confirmed);
  const byUser = collected.files.filter((file) => !kept.has(file));
  const byRules = collected.leftOut.map(({ uri, reason }) => ({
    name: pathInWorkspace(uri),
    why: formatLeftOutReason(reason),
  }));
  return {
    sentences: formatLeftOut(collected),
    items: [...byRules, ...byUser.map(({ relativePath }) => ({ name: relativePath, why: l10n.t('left out by you') }))],
    files: collected.leftOutFiles + collected.brokenLinks + byUser.length,
  };
}

/** The same, and listed with it those of the checked files that are not wanted, as they were imported before. */
export function withDuplicates(
  leftOut: LeftOut,
  checked: readonly CheckedSource[],
  wanted: readonly CheckedSource[],
): LeftOut {
  const kept = new Set(wanted);
  const skipped = checked.filter((one) => !kept.has(one));
  const items = skipped.map(({ source }) => ({ name: source.relativePath, why: l10n.t('imported before') }));
  return { ...leftOut, items: [...leftOut.items, ...items] };
}

/** The same, and files that cannot be imported, each in a sentence. */
export function withBadFiles({ sentences, items, files }: LeftOut, bad: readonly string[]): LeftOut {
  return {
    sentences: [...sentences, ...bad],
    items: [...items, ...bad.map((name) => ({ name, why: '' }))],
    files: files + bad.length,
  };
}

/** What was not collected from chosen folders, in sentences. */
export function formatLeftOut(collected: CollectedFiles): string[] {
  const { unreadable, leftOutFiles, leftOutFolders, linkedFolders, brokenLinks } = collected;
  return [
    ...unreadable.map(({ path: folder }) => l10n.t("The folder '{0}' cannot be read.", path.posix.basename(folder))),
    ...(leftOutFiles > 0 ? [formatLeftOutFiles(leftOutFiles)] : []),
    ...(leftOutFolders > 0 ? [formatLeftOutFolders(leftOutFolders)] : []),
    ...(linkedFolders > 0 ? [formatLinkedFolders(linkedFolders)] : []),
    ...(brokenLinks > 0 ? [formatBrokenLinks(brokenLinks)] : []),
  ];
}

/** Why a file or folder is left out, in a few words. */
function formatLeftOutReason(reason: LeftOutReason): string {
  switch (reason) {
    case 'extension':
      return l10n.t("file extension not in the setting 'datasetImport.fileExtensions'");
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

function formatLeftOutFiles(count: number): string {
  return count === 1
    ? l10n.t('1 file was left out by settings or ignore files.')
    : l10n.t('{0} files were left out by settings or ignore files.', formatCount(count));
}

function formatLeftOutFolders(count: number): string {
  return count === 1
    ? l10n.t('1 folder was left out by settings or ignore files.')
    : l10n.t('{0} folders were left out by settings or ignore files.', formatCount(count));
}

function formatLinkedFolders(count: number): string {
  return count === 1
    ? l10n.t('1 link to a folder was left out.')
    : l10n.t('{0} links to folders were left out.', formatCount(count));
}

function formatBrokenLinks(count: number): string {
  return count === 1
    ? l10n.t('1 broken link was left out.')
    : l10n.t('{0} broken links were left out.', formatCount(count));
}
