import { posix } from 'node:path';
import { env, l10n } from 'vscode';
import { formatCount } from '../platform/format';
import type { Collected } from './collect';
import type { ComparedFiles } from './compare';
import { formatPath, pathInWorkspace } from './filePaths';
import type { SkippedPath } from './folderWalk';

/** Max number of deleted files, or of reasons for skipping files, to list in one message. */
const NAMED = 5;

/** A reason why files aren't imported, and the names of those files. */
export interface Note {
  readonly label: string;
  readonly count: number;
  readonly names: readonly string[];
}

/** Lists everything that won't be imported no matter what the user selects. */
export function notesOf(compared: ComparedFiles, faults: readonly string[]): Note[] {
  const { candidates, missing } = compared;
  const importing = candidates.filter(({ comparison }) => comparison === 'importing').map((one) => one.relativePath);
  const named = (label: string, names: readonly string[]) => ({ label, names, count: names.length });
  const notes = [
    named(l10n.t('Deleted or renamed'), missing.map(formatPath)),
    named(l10n.t('Cannot be imported'), faults),
    named(l10n.t('Already being imported'), importing),
    ...skippedNotes(compared),
  ];
  return notes.filter(({ count }) => count > 0);
}

/** Lists the files that the folder rules skip, by reason. */
export function skippedNotes({ skipped, skippedCount }: Collected): Note[] {
  const notes = [...Map.groupBy(skipped, formatReason)].map(([label, some]) => ({
    label,
    count: some.length,
    names: some.map(({ uri }) => pathInWorkspace(uri)),
  }));
  const more = skippedCount - skipped.length;
  return more === 0 ? notes : [...notes, { label: l10n.t('other reasons'), count: more, names: [] }];
}

/** A sentence about the skipped files. Empty if there are none. */
export function formatSkipped(found: Collected): string[] {
  const reasons = skippedNotes(found).slice(0, NAMED);
  const counted = reasons.map(({ label, count }) => l10n.t('{0} ({1})', label, formatCount(count)));
  const list = new Intl.ListFormat(env.language, { type: 'conjunction' }).format(counted);
  return reasons.length === 0 ? [] : [l10n.t('Skipped: {0}.', list)];
}

function formatReason({ uri, reason }: SkippedPath): string {
  switch (reason) {
    case 'extension': {
      const extension = posix.extname(uri.path);
      return extension === '' ? l10n.t('no file extension') : l10n.t('{0} is not a listed file extension', extension);
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

/**
 * The placeholder of the review list. It names the deleted files, which can't have rows because every row has a
 * checkbox.
 */
export function formatPlaceHolder({ missing, skippedCount }: ComparedFiles, faults: readonly string[]): string {
  const count = skippedCount + faults.length;
  return [
    ...formatMissing(missing),
    l10n.t('Select files to import'),
    ...(count > 0 ? [l10n.t('Not imported: {0}', formatCount(count))] : []),
  ].join(' · ');
}

/** A note that names the deleted files. Empty if there are none. */
export function formatMissing(missing: readonly string[]): string[] {
  if (missing.length === 0) return [];
  const names = missing.slice(0, NAMED).map(formatPath);
  const more = missing.length > NAMED ? [l10n.t('… and {0} more', formatCount(missing.length - NAMED))] : [];
  return [l10n.t('Deleted or renamed: {0}', [...names, ...more].join(', '))];
}
