import { l10n } from 'vscode';
import type { ImportRun } from '../../tasks/serving/importRun';
import type { EndedPhase, TrackedTask } from '../../tasks/trackedTask';
import { formatCount } from '../platform/formatNumbers';

/** An import of a run, and how it ended. */
export interface EndedImport {
  readonly task: TrackedTask;
  readonly end: EndedPhase;
}

/** How many imports ended in which way, in sentences; so many more files were not queued. */
export function formatCounts(ended: readonly Pick<EndedImport, 'end'>[], dataset: string, notQueued: number): string[] {
  const count = (kind: EndedPhase['kind']) => ended.filter(({ end }) => end.kind === kind).length;
  const [accepted, rejected, unconfirmed, notSent] = [
    count('accepted'),
    count('rejected'),
    count('unconfirmed'),
    count('notSent'),
  ];
  const files = ended.length + notQueued;
  const all = formatCount(files);
  return [
    accepted === files
      ? l10n.t('Uploaded {0} files to {1}.', all, dataset)
      : l10n.t('Uploaded {0} of {1} files to {2}.', formatCount(accepted), all, dataset),
    ...sentence(rejected, l10n.t('1 file was rejected.'), (many) => l10n.t('{0} files were rejected.', many)),
    ...sentence(unconfirmed, l10n.t('1 file is unconfirmed.'), (many) => l10n.t('{0} files are unconfirmed.', many)),
    ...sentence(notSent, l10n.t('1 file was not uploaded.'), (many) => l10n.t('{0} files were not uploaded.', many)),
  ];
}

/** How many files were not imported with a run, in sentences. */
export function formatSkipped({ leftOut, notQueued }: Pick<ImportRun, 'leftOut' | 'notQueued'>): string[] {
  const { duplicates, files } = leftOut;
  return [
    ...sentence(notQueued, l10n.t('1 file was not queued.'), (many) => l10n.t('{0} files were not queued.', many)),
    ...sentence(duplicates, l10n.t('1 duplicate was skipped.'), (many) => l10n.t('{0} duplicates were skipped.', many)),
    ...sentence(files, l10n.t('1 file was skipped.'), (many) => l10n.t('{0} files were skipped.', many)),
  ];
}

function sentence(count: number, one: string, several: (count: string) => string): string[] {
  return count === 0 ? [] : [count === 1 ? one : several(formatCount(count))];
}
