import path from 'node:path';
import { env, l10n } from 'vscode';
import { formatCount } from '../platform/formatNumbers';
import type { CollectedFiles } from './collectFiles';
import { pathInWorkspace } from './filePaths';
import type { LeftOutReason } from './folderWalk';

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

/** Max files and folders that a sentence names. */
const NAMED = 5;

/** What the rules for folders left out of chosen ones. */
export function leftOutOf(collected: CollectedFiles): LeftOut {
  const items = collected.leftOut.map(({ uri, reason }) => ({
    name: pathInWorkspace(uri),
    why: formatLeftOutReason(reason, path.posix.basename(uri.path)),
  }));
  const { leftOutFiles, leftOutFolders } = collected;
  return { items, more: leftOutFiles + leftOutFolders - items.length, files: leftOutFiles };
}

/** What was not collected from chosen folders, in a sentence; none where nothing was left out. */
export function formatLeftOut({ leftOut, leftOutFiles, leftOutFolders }: CollectedFiles): string[] {
  const count = leftOutFiles + leftOutFolders;
  if (count === 0) return [];
  const named = leftOut.slice(0, NAMED).map(({ uri, reason }) => {
    const name = path.posix.basename(uri.path);
    return l10n.t('{0} ({1})', name, formatLeftOutReason(reason, name));
  });
  const more = count - named.length;
  const all = more > 0 ? [...named, l10n.t('{0} more', formatCount(more))] : named;
  return [l10n.t('Skipped: {0}.', new Intl.ListFormat(env.language, { type: 'conjunction' }).format(all))];
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
