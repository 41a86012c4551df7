import * as vscode from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { FileRow, State } from '../../tasks/store/model';
import { commandTitle } from '../platform/commandTitle';
import { formatList } from '../platform/formatLists';
import { formatAge } from '../platform/formatNumbers';
import { oneLine, shortText } from '../platform/outsideText';
import { isPause } from '../wording/causes';
import { canImportAgain, type NextStep, nextSteps, RETRIED } from '../wording/nextSteps';
import { checkCause, isTracked, type RowContext, rowLabel, rowSentences, rowWords } from '../wording/states';

/** The colors of problems. Unlike the colors of lists they are also set in high contrast. */
export const ERROR_COLOR = 'problemsErrorIcon.foreground';
export const WARNING_COLOR = 'problemsWarningIcon.foreground';
const ACTIVE_COLOR = 'charts.blue';
const IDLE_COLOR = 'disabledForeground';

type Icon = readonly [icon: string, color: string];

// Not everyone tells colors apart: whatever has a color of its own has a shape of its own.
const ICONS: Readonly<Record<State, Icon>> = {
  queued: ['circle-outline', ACTIVE_COLOR],
  sending: ['cloud-upload', ACTIVE_COLOR],
  notUploaded: ['debug-disconnect', WARNING_COLOR],
  rejected: ['circle-slash', ERROR_COLOR],
  unconfirmed: ['warning', WARNING_COLOR],
  noId: ['tag', WARNING_COLOR],
  waiting: ['sync', ACTIVE_COLOR],
  running: ['sync', ACTIVE_COLOR],
  unknown: ['question', WARNING_COLOR],
  untracked: ['eye-closed', IDLE_COLOR],
  uploaded: ['pass', 'testing.iconPassed'],
  succeeded: ['pass', 'testing.iconPassed'],
  failed: ['error', ERROR_COLOR],
};

/** How a row is shown beside others. */
export interface RowPlace extends RowContext {
  /** The folder of its file, if another shown row has the same name. */
  readonly folder: string | undefined;
  /** Whether rows name their dataset, because there are several. */
  readonly namesDataset: boolean;
  /** Whether it is below the row of its batch, which shows the time and the dataset of all. */
  readonly isInBatch: boolean;
}

/** The item of a row. The folder comes first, because it identifies the file; then the state and the reason. */
export function rowItem(row: FileRow, place: RowPlace): vscode.TreeItem {
  const { folder, namesDataset, isInBatch, nowMs } = place;
  const { state, reasons, notes } = rowWords(row, place);
  const label = rowLabel(row);
  // The icon shows success well enough.
  const shownState = row.state === 'succeeded' ? [] : [state];
  const folders = folder === undefined ? [] : [folder];
  const age = isInBatch ? [] : [formatAge(row.import.queuedMs, nowMs)];
  const item = new vscode.TreeItem(label);
  item.id = `${row.id}`;
  item.command = {
    command: 'datasetImport.showDetails',
    title: commandTitle('showDetails'),
    arguments: [{ file: row.id }],
  };
  const dataset = namesDataset && !isInBatch ? [row.dataset] : [];
  item.description = [...folders, ...shownState, ...reasons, ...notes, ...age, ...dataset].join(' · ');
  item.iconPath = themeIcon(iconOf(row, place));
  item.contextValue = rowTraits(row, place);
  const spoken = isInBatch ? [] : [vscode.l10n.t('dataset {0}', row.dataset)];
  item.accessibilityInformation = {
    label: formatList([label, ...folders, state, ...reasons, ...notes, ...age, ...spoken]),
  };
  return item;
}

export function stateIcon(state: State): vscode.ThemeIcon {
  return themeIcon(ICONS[state]);
}

export function themeIcon([icon, color]: Icon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

function iconOf(row: FileRow, { why }: RowContext): Icon {
  if (why !== undefined && row.state === 'queued') return ['debug-pause', IDLE_COLOR];
  if (why !== undefined && !isPause(why) && isTracked(row)) return ICONS.untracked;
  if (checkCause(row) !== undefined) return ['sync-ignored', WARNING_COLOR];
  const isCanceled = row.state === 'notUploaded' && row.import.cause?.name === 'CanceledError';
  return isCanceled ? ['stop-circle', IDLE_COLOR] : ICONS[row.state];
}

/** These steps are no icon on a row: they are rarely needed, or a click on the row offers them. */
const NO_ICONS: readonly NextStep[] = ['refreshStatus', 'editRequest', 'openSourceFile', 'stopTracking'];

/** The traits by which `when` clauses know what applies to a row: "row;file;importAgain;inlineImportAgain;". */
function rowTraits(row: FileRow, { why }: RowContext): string {
  const steps = nextSteps(row, why);
  const needsImport = row.state === 'unconfirmed' || RETRIED.includes(row.state);
  return traitList('row', [
    row.path !== null && 'file',
    row.tasks.length > 0 && 'id',
    // In the menu of a row that needs it, Import Again comes first.
    canImportAgain(row) && !needsImport && 'mayImportAgain',
    ...steps.filter((step) => needsImport || step !== 'importAgain'),
    ...inlineTrait(steps),
  ]);
}

/** The trait of the one icon on a row or group: its first step. */
export function inlineTrait([step]: readonly NextStep[]): string[] {
  return step === undefined || NO_ICONS.includes(step) ? [] : [`inline${step.charAt(0).toUpperCase()}${step.slice(1)}`];
}

export function traitList(kind: string, traits: readonly (string | false)[]): string {
  return [kind, ...traits.filter((trait) => trait !== false), ''].join(';');
}

/** The tooltip of a row: the whole reason, what to do, the task ID and the path. */
export function rowTooltip(row: FileRow, context: RowContext): string {
  const [first] = row.tasks;
  const id = first && shortText(taskIdText(first.id));
  return [
    rowLabel(row),
    ...rowSentences(row, context).map(shortText),
    row.dataset,
    ...(id === undefined ? [] : [formatIds(id, row.tasks.length)]),
    ...(row.path === null ? [] : [row.path]),
  ]
    .map(oneLine)
    .join('\n');
}

function formatIds(first: string, count: number): string {
  return count === 1
    ? vscode.l10n.t('Task ID: {0}', first)
    : vscode.l10n.t('Task IDs: {0} and {1} more', first, count - 1);
}
