import { l10n } from 'vscode';
import { TRACKED } from '../../tasks/store/model';
import { formatAge, formatSize } from '../platform/format';
import { duplicates } from '../platform/settings';
import { formatState } from '../wording/states';
import type { Candidate } from './candidate';
import { formatPath } from './filePaths';

const GROUP_WORDS = {
  new: () => l10n.t('New'),
  changed: () => l10n.t('Changed'),
  failed: () => l10n.t('Failed or unconfirmed'),
  unchanged: () => l10n.t('Unchanged'),
  care: () => l10n.t('Needs care'),
};

export type FileGroup = keyof typeof GROUP_WORDS;

/** The groups of files in the review list, in display order. */
export const GROUPS = Object.keys(GROUP_WORDS) as readonly FileGroup[];

export function formatGroup(group: FileGroup): string {
  return GROUP_WORDS[group]();
}

/** The group that a file is in, or undefined if the file can't be imported or is already being imported. */
export function groupOf({ comparison = 'new', care, fault }: Candidate): FileGroup | undefined {
  if (fault !== undefined) return undefined;
  switch (comparison) {
    case 'importing':
      return undefined;
    case 'unconfirmed':
      return 'failed';
    case 'moved':
    case 'copied':
    case 'unchanged':
      return 'unchanged';
    case 'new':
    case 'changed':
    case 'failed':
      return care.length > 0 ? 'care' : comparison;
  }
}

/** Whether a file is selected by default. */
export function isSelected(one: Candidate, onlyChanges: boolean): boolean {
  const group = groupOf(one);
  if (group === undefined || group === 'care') return false;
  if (group === 'new' || (group === 'changed' && !mayBeThere(one))) return true;
  if (onlyChanges) return false;
  return one.comparison === 'failed' || (duplicates() === 'import' && one.care.length === 0);
}

/** Whether importing the file may create a duplicate. */
export function mayBeThere(one: Candidate): boolean {
  const isKnown = one.comparison === 'unconfirmed' || one.elsewhere !== undefined;
  return isKnown || groupOf(one) === 'unchanged' || isProcessing(one);
}

/** Whether the service is still processing an earlier version of the file. */
function isProcessing({ comparison, known }: Candidate): boolean {
  const state = known?.row?.state;
  return comparison === 'changed' && state !== undefined && TRACKED.includes(state);
}

/** The description to show after a file's name. */
export function describe(one: Candidate, nowMs: number): string {
  return [formatSize(one.sizeBytes), ...formatComparison(one, nowMs), ...one.care].join(' · ');
}

function formatComparison(one: Candidate, nowMs: number): string[] {
  const { comparison = 'new', known, elsewhere } = one;
  const age = known?.uploaded ? [l10n.t('last uploaded {0}', formatAge(known.uploaded.endedMs, nowMs))] : [];
  const state = known?.row ? [formatState(known.row.state)] : [];
  switch (comparison) {
    case 'new':
      return [];
    case 'changed':
      return [
        ...(isProcessing(one) ? [l10n.t('still being processed')] : []),
        ...(elsewhere ? [l10n.t('uploaded before')] : []),
        ...age,
      ];
    case 'moved':
      return [l10n.t('moved from {0}', formatPath(elsewhere?.path ?? ''))];
    case 'copied':
      if (elsewhere?.outcome === 'queued' || elsewhere?.outcome === 'sending') return [formatState(elsewhere.outcome)];
      return [
        elsewhere?.path ? l10n.t('uploaded as {0}', formatPath(elsewhere.path)) : l10n.t('uploaded before'),
        formatAge(elsewhere?.endedMs ?? nowMs, nowMs),
      ];
    case 'unconfirmed':
      return [formatState(comparison), ...age];
    case 'failed':
    case 'unchanged':
    case 'importing':
      return [...state, ...age];
  }
}
