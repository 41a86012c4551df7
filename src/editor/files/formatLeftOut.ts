import path from 'node:path';
import { l10n } from 'vscode';
import type { CollectedFiles } from './collectFiles';

/** What was not collected from chosen folders, in sentences. */
export function formatLeftOut(collected: CollectedFiles): string[] {
  const { unreadable, leftOutFiles, leftOutFolders, linkedFolders, brokenLinks } = collected;
  return [
    ...unreadable.map(({ path: folder }) => l10n.t("The folder '{0}' cannot be read.", path.posix.basename(folder))),
    ...(leftOutFiles > 0 ? [formatLeftOutFiles(leftOutFiles)] : []),
    ...(leftOutFolders > 0 ? [formatLeftOutFolders(leftOutFolders)] : []),
    ...(linkedFolders > 0 ? [l10n.t('Left out links to folders: {0}.', linkedFolders)] : []),
    ...(brokenLinks > 0 ? [l10n.t('Left out broken links: {0}.', brokenLinks)] : []),
  ];
}

function formatLeftOutFiles(count: number): string {
  return count === 1
    ? l10n.t('Left out by settings or ignore files: 1 file.')
    : l10n.t('Left out by settings or ignore files: {0} files.', count);
}

function formatLeftOutFolders(count: number): string {
  return count === 1
    ? l10n.t('Left out by settings or ignore files: 1 folder.')
    : l10n.t('Left out by settings or ignore files: {0} folders.', count);
}
