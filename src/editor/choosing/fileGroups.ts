import { l10n } from 'vscode';
import type { Standing, StandingKind } from '../../tasks/comparing/taskListMemory';
import type { KnownFile } from '../../tasks/history/filesAt';
import type { CheckedSource } from '../../tasks/sending/checkedSource';
import { isOpenState, taskState } from '../../tasks/trackedTask';
import type { CollectedFile } from '../collecting/collectFiles';
import type { LeftOut, LeftOutItem } from '../collecting/leftOut';
import { formatAge, formatSize } from '../platform/formatNumbers';
import { oneLine, shortText } from '../platform/outsideText';
import { formatCause } from '../taskItems/formatCause';
import { capitalized, formatAnyState, formatState } from '../taskItems/formatState';

/** Files that are chosen, or not, for the same reason. */
export interface FileGroup {
  readonly label: string;
  readonly files: readonly ChosenFile[];
  /** Whether they are ticked at first. */
  readonly isTicked: boolean;
}

/** What is not imported for the same reason. */
export interface LeftOutGroup {
  readonly label: string;
  /** How many there are, of which `items` may name only some. */
  readonly count: number;
  readonly items: readonly LeftOutItem[];
}

/** The order in which they are listed: what is sent first. */
const ORDER: readonly GroupKind[] = [
  ...(['new', 'changed', 'failed', 'unconfirmed', 'sensitive', 'outside', 'running'] as const),
  ...(['copied', 'moved', 'unchanged'] as const),
];

/** The groups of files; `ticks` are those that are ticked at first. */
export function groupsOf(files: readonly ChosenFile[], ticks: ReadonlySet<GroupKind>): FileGroup[] {
  const groups = Map.groupBy(files, groupKindOf);
  return ORDER.flatMap((kind) => {
    const ofKind = groups.get(kind) ?? [];
    return ofKind.length === 0 ? [] : [{ label: formatGroup(kind), files: ofKind, isTicked: ticks.has(kind) }];
  });
}

/** What is not imported, by reason. */
export function leftOutGroups(
  files: readonly ChosenFile[],
  bad: readonly string[],
  { items, more }: Pick<LeftOut, 'items' | 'more'>,
): LeftOutGroup[] {
  const open = files.filter((file) => groupKindOf(file) === undefined).map(({ relativePath }) => relativePath);
  const named = (names: readonly string[]) => names.map((name) => ({ name, why: '' }));
  const groups = [
    groupOf(l10n.t('Being imported'), named(open)),
    groupOf(l10n.t('Cannot be imported'), named(bad.map(oneLine))),
    ...[...Map.groupBy(items, ({ why }) => why)].map(([why, some]) => groupOf(capitalized(why), some)),
    { label: l10n.t('Other reasons'), count: more, items: [] },
  ];
  return groups.filter(({ count }) => count > 0);
}

/** What is to be known of a file, behind its name. */
export function formatChosen({ sizeBytes, standing, file }: ChosenFile, nowMs: number): string {
  const outside = file?.outside === undefined ? [] : [l10n.t('stored in {0}', file.outside)];
  return [formatSize(sizeBytes), ...formatStanding(standing, nowMs), ...outside].join(' · ');
}

function groupOf(label: string, items: readonly LeftOutItem[]): LeftOutGroup {
  return { label, count: items.length, items };
}

function formatGroup(kind: GroupKind): string {
  switch (kind) {
    case 'new':
      return l10n.t('New');
    case 'changed':
      return l10n.t('Changed');
    case 'failed':
      return l10n.t('Failed last time');
    case 'unconfirmed':
      return l10n.t('Unconfirmed');
    case 'sensitive':
      return l10n.t('May contain secrets');
    case 'outside':
      return l10n.t('Stored outside the workspace');
    case 'running':
      return l10n.t('Changed, and still being processed');
    case 'copied':
      return l10n.t('Uploaded before');
    case 'moved':
      return l10n.t('Moved');
    case 'unchanged':
      return l10n.t('Unchanged');
  }
}

function formatStanding(standing: ChosenFile['standing'], nowMs: number): string[] {
  switch (standing.kind) {
    case 'new':
    case 'changed':
    case 'open':
      return [];
    case 'failed':
    case 'running': {
      const { task } = standing;
      return [formatState(taskState(task), task), ...formatCause(task), formatAge(task.createdMs, nowMs)];
    }
    case 'moved':
      return [l10n.t('uploaded as {0}', shortText(standing.earlier.source.relativePath))];
    case 'copied': {
      const { source, state, createdMs } = standing.earlier;
      const as = isOpenState(state)
        ? l10n.t('being uploaded as {0}', shortText(source.relativePath))
        : l10n.t('as {0}', shortText(source.relativePath));
      return [as, formatAge(createdMs, nowMs)];
    }
    case 'unchanged':
      return [formatAnyState(standing.earlier.state), formatAge(standing.earlier.createdMs, nowMs)];
  }
}

/** A file or text that can be imported, and what speaks for or against it. */
export interface ChosenFile {
  readonly relativePath: string;
  readonly sizeBytes: number;
  readonly standing: Standing;
  readonly isSensitive: boolean;
  /** Undefined for a text without a file. */
  readonly file: CollectedFile | undefined;
  /** Undefined for a file that has not changed by its size and time: it was not opened. */
  readonly checked: CheckedSource | undefined;
  /** What the dataset had of it when it was compared; undefined for nothing. */
  readonly reviewed: KnownFile | undefined;
}

/** What the files of a list have in common. */
export type GroupKind = Exclude<StandingKind, 'open'> | 'sensitive' | 'outside' | 'unconfirmed';

/** The group of a file; undefined where it cannot be chosen, as it is being imported. */
export function groupKindOf({ standing, isSensitive, file }: ChosenFile): GroupKind | undefined {
  const { kind } = standing;
  if (kind === 'open') return undefined;
  if (kind === 'failed' && standing.task.phase.kind === 'unconfirmed') return 'unconfirmed';
  const isToSend = kind === 'new' || kind === 'changed' || kind === 'failed';
  if (isToSend && isSensitive) return 'sensitive';
  return isToSend && file?.outside !== undefined ? 'outside' : kind;
}
