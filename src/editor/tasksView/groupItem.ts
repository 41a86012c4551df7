import * as vscode from 'vscode';
import type { State, StateCounts } from '../../tasks/store/model';
import { STATES } from '../../tasks/store/model';
import { formatList } from '../platform/formatLists';
import { formatAge, formatCount, formatPercent } from '../platform/formatNumbers';
import { formatWhy, isPause, type WhyWaits } from '../wording/causes';
import { nextStepsOf } from '../wording/nextSteps';
import { capitalized, countIn, formatCounts, formatState, rowWords } from '../wording/states';
import { ERROR_COLOR, inlineTrait, stateIcon, themeIcon, traitList, WARNING_COLOR } from './rowItem';
import type { ShownGroup } from './shownRows';

/** Groups with at most so many rows are expanded at first. Larger ones show a percentage. */
const MAX_EXPANDED = 10;

const UNSENT: readonly State[] = ['queued', 'sending'];
const TRACKED: readonly State[] = ['waiting', 'running', 'unknown'];

interface GroupPlace {
  readonly id: string;
  readonly nowMs: number;
  readonly why: WhyWaits | undefined;
  readonly namesDataset: boolean;
  readonly isFiltered: boolean;
}

/** The item of a batch or another group: why it is paused, how far it is, and its rows by state. */
export function groupItem(
  group: ShownGroup,
  { id, nowMs, why, namesDataset, isFiltered }: GroupPlace,
): vscode.TreeItem {
  const { by, counts, batch, isRepeated, destination } = group;
  const total = countIn(counts);
  const label = groupLabel(group);
  const folder = batch?.folder ?? null;
  const folders = folder === null ? [] : [folder];
  const details = [
    ...(isRepeated ? folders : []),
    ...waits(counts, why),
    ...percent(counts),
    ...(by === 'state' ? [formatCount(total)] : formatCounts(counts)),
    ...(batch === undefined ? [] : [formatAge(batch.beganMs, nowMs)]),
  ];
  const dataset = batch === undefined ? undefined : destination?.dataset;
  const mayExpand = by === 'batch' || isFiltered;
  const item = new vscode.TreeItem(
    label,
    mayExpand && total <= MAX_EXPANDED
      ? vscode.TreeItemCollapsibleState.Expanded
      : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = id;
  const shown = [...details, ...(namesDataset && dataset !== undefined ? [dataset] : [])];
  item.description = shown.join(' · ');
  item.iconPath = groupIcon(group, why);
  item.contextValue = groupTraits(group, why);
  const files = vscode.l10n.t('files: {0}', formatCount(total));
  item.tooltip = [label, files, ...shown, ...(isRepeated ? [] : folders)].join('\n');
  const spokenDataset = dataset === undefined ? [] : [vscode.l10n.t('dataset {0}', dataset)];
  item.accessibilityInformation = { label: formatList([label, files, ...details, ...spokenDataset]) };
  return item;
}

function groupLabel({ by, value, batch, destination, example }: ShownGroup): string {
  switch (by) {
    case 'batch':
      return batch?.label ?? '';
    case 'destination':
      return destination?.dataset ?? '';
    case 'state':
      return capitalized(formatState(value as State));
    case 'reason': {
      if (value === null || example === undefined) return vscode.l10n.t('No problems');
      const { state, reasons } = rowWords(example, { nowMs: example.changedMs });
      return capitalized([state, ...reasons].join(' · '));
    }
  }
}

/** Why its queued imports or its tasks wait. */
function waits(counts: StateCounts, why: WhyWaits | undefined): string[] {
  if (why === undefined) return [];
  if (countIn(counts, UNSENT) > 0) return [vscode.l10n.t('paused: {0}', formatWhy(why))];
  const isNotChecked = !isPause(why) && countIn(counts, TRACKED) > 0;
  return isNotChecked ? [vscode.l10n.t('not checked: {0}', formatWhy(why))] : [];
}

/** How many of many files are finished: unlike the share of uploaded files, it doesn't start again at the service. */
function percent(counts: StateCounts): string[] {
  const total = countIn(counts);
  const rest = countIn(counts, [...UNSENT, ...TRACKED]);
  return total <= MAX_EXPANDED || rest === 0 ? [] : [formatPercent((total - rest) / total)];
}

function groupIcon({ by, value, counts, example }: ShownGroup, why: WhyWaits | undefined): vscode.ThemeIcon {
  if (by === 'destination') return new vscode.ThemeIcon('database');
  if (by === 'state') return stateIcon(value as State);
  if (by === 'reason') return example === undefined ? new vscode.ThemeIcon('list-flat') : stateIcon(example.state);
  const isUnsent = countIn(counts, UNSENT) > 0;
  if (isUnsent) return why === undefined ? stateIcon('sending') : themeIcon(['debug-pause', 'disabledForeground']);
  const first = STATES.find((state) => (counts[state] ?? 0) > 0) ?? 'succeeded';
  if (first === 'failed' || first === 'rejected') return themeIcon(['error', ERROR_COLOR]);
  if (['unconfirmed', 'notUploaded', 'noId'].includes(first)) return themeIcon(['warning', WARNING_COLOR]);
  const isNotChecked = why !== undefined && !isPause(why) && countIn(counts, TRACKED) > 0;
  return stateIcon(isNotChecked ? 'untracked' : first);
}

function groupTraits({ by, counts }: ShownGroup, why: WhyWaits | undefined): string {
  const steps = nextStepsOf(counts, why);
  const traits = [
    ...steps,
    countIn(counts, ['unconfirmed']) > 0 && 'markAsUploaded',
    countIn(counts, TRACKED) > 0 && 'refreshStatus',
    ...inlineTrait(steps),
  ];
  return traitList(by === 'batch' ? 'batch' : 'group', traits);
}
