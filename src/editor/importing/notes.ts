import { l10n } from 'vscode';
import { formatCount } from '../platform/formatNumbers';
import type { ComparedFiles } from './compare';
import { formatPath } from './groups';

/** Max names in the placeholder and in messages. */
const NAMED = 3;

/** What isn't imported, and why. */
export interface Note {
  readonly label: string;
  readonly count: number;
  readonly names: readonly string[];
}

export function notesOf({ candidates, gone, skipped }: ComparedFiles, faults: readonly string[]): Note[] {
  const open = candidates.filter(({ standing }) => standing === 'importing').map((one) => one.relativePath);
  const named = (label: string, names: readonly string[]) => ({ label, names, count: names.length });
  const notes = [
    named(l10n.t('Deleted or renamed'), gone.map(formatPath)),
    named(l10n.t('Cannot be imported'), faults),
    named(l10n.t('Already being imported'), open),
    ...skippedNotes(skipped),
  ];
  return notes.filter(({ count }) => count > 0);
}

/** What the rules skip, by reason; of very much, not all is named. */
export function skippedNotes({ items, more }: ComparedFiles['skipped']): Note[] {
  const groups = [...Map.groupBy(items, ({ why }) => why)].map(([why, some]) => ({
    label: l10n.t('Skipped: {0}', why),
    count: some.length,
    names: some.map(({ name }) => name),
  }));
  return more === 0
    ? groups
    : [...groups, { label: l10n.t('Skipped: {0}', l10n.t('other reasons')), count: more, names: [] }];
}

/** In sight as long as nothing is typed: rows would have checkboxes. */
export function formatPlaceHolder({ gone, skipped }: ComparedFiles, faults: readonly string[]): string {
  const left = skipped.items.length + skipped.more + faults.length;
  return [
    l10n.t('Select files to import'),
    ...formatGone(gone),
    ...(left > 0 ? [l10n.t('Not imported: {0}', formatCount(left))] : []),
  ].join(' · ');
}

/** Files that are missing since they were uploaded, by name; none if there are none. */
export function formatGone(gone: readonly string[]): string[] {
  if (gone.length === 0) return [];
  const names = gone.slice(0, NAMED).map(formatPath);
  const more = gone.length > NAMED ? [l10n.t('… and {0} more', formatCount(gone.length - NAMED))] : [];
  return [l10n.t('Deleted or renamed: {0}', [...names, ...more].join(', '))];
}
