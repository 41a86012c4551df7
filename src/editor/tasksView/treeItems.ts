import * as vscode from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { type FileRow, STATES, type State, TRACKED } from '../../tasks/store/model';
import { commandTitle } from '../platform/actions';
import { formatAge, formatCount, formatList } from '../platform/format';
import { oneLine, shortText } from '../platform/outsideText';
import { isPause, type WhyWaits } from '../wording/causes';
import { canImportAgain, type NextStep, nextSteps, nextStepsOf, RETRIED } from '../wording/nextSteps';
import {
  capitalized,
  checkCause,
  countIn,
  formatCounts,
  formatProblem,
  formatState,
  formatWaits,
  isTracked,
  type RowContext,
  rowLabel,
  rowSentences,
  rowWords,
  UNSENT,
} from '../wording/states';
import type { ShownGroup } from './shownRows';

/** Unlike list colors, these colors are also defined in high contrast themes. */
const ERROR_COLOR = 'problemsErrorIcon.foreground';
const WARNING_COLOR = 'problemsWarningIcon.foreground';
const ACTIVE_COLOR = 'charts.blue';
const IDLE_COLOR = 'disabledForeground';

type Icon = readonly [icon: string, color: string];

// The icons differ in shape as well as in color, for users who can't tell the colors apart.
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

const PAUSED: Icon = ['debug-pause', IDLE_COLOR];

/** Where and how a row appears in the tree. */
export interface RowPlace extends RowContext {
  /** The file's folder, if another shown row has the same name. */
  readonly folder: string | undefined;
  /** Whether rows show their dataset. True if there is more than one dataset. */
  readonly namesDataset: boolean;
  /** Whether the row is listed under its batch, which already shows the age and the dataset. */
  readonly isInBatch: boolean;
}

/** Puts the folder first, because it helps identify the file, followed by the state and the reason. */
export function rowItem(row: FileRow, place: RowPlace): vscode.TreeItem {
  const { folder, namesDataset, isInBatch, nowMs } = place;
  const { state, reasons, notes } = rowWords(row, place);
  const label = rowLabel(row);
  const age = isInBatch ? undefined : formatAge(row.import.queuedMs, nowMs);
  const facts = present(...reasons, ...notes, age, namesDataset && !isInBatch ? row.dataset : undefined);
  const item = new vscode.TreeItem(label);
  item.id = `${row.id}`;
  const title = commandTitle('showDetails');
  item.command = { command: 'datasetImport.showDetails', title, arguments: [{ file: row.id }] };
  // The icon is enough to show success.
  item.description = present(folder, row.state === 'succeeded' ? undefined : state, ...facts).join(' · ');
  item.iconPath = themeIcon(iconOf(row, place));
  item.contextValue = rowTraits(row, place);
  item.accessibilityInformation = { label: formatList(present(label, folder, state, ...facts)) };
  return item;
}

function present(...texts: readonly (string | null | undefined)[]): string[] {
  return texts.filter((text) => text != null);
}

function themeIcon([icon, color]: Icon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

function iconOf(row: FileRow, { why }: RowContext): Icon {
  if (why !== undefined && row.state === 'queued') return PAUSED;
  if (why !== undefined && !isPause(why) && isTracked(row)) return ICONS.untracked;
  return checkCause(row) === undefined ? ICONS[row.state] : ['sync-ignored', WARNING_COLOR];
}

/** Steps that have no inline icon, because they are rarely needed or are also available in the row's details. */
const NO_ICONS: readonly NextStep[] = ['refreshStatus', 'editRequest', 'openSourceFile', 'stopTracking'];

/** The context value that `when` clauses match, such as "row;file;importAgain;inlineImportAgain;". */
function rowTraits(row: FileRow, { why }: RowContext): string {
  const steps = nextSteps(row, why);
  const needsImport = row.state === 'unconfirmed' || RETRIED.includes(row.state);
  return traitList('row', [
    row.path !== null && 'file',
    row.tasks.length > 0 && 'id',
    // Rows that need Import Again show it at the top of the menu instead.
    canImportAgain(row) && !needsImport && 'mayImportAgain',
    ...steps.filter((step) => needsImport || step !== 'importAgain'),
    ...inlineTrait(steps),
  ]);
}

/** Only the first step gets an inline icon. */
function inlineTrait([step]: readonly NextStep[]): string[] {
  return step === undefined || NO_ICONS.includes(step) ? [] : [`inline${step.charAt(0).toUpperCase()}${step.slice(1)}`];
}

function traitList(kind: string, traits: readonly (string | false)[]): string {
  return [kind, ...traits.filter((trait) => trait !== false), ''].join(';');
}

/** A row's tooltip: the full reason, advice, task IDs and the path. */
export function rowTooltip(row: FileRow, context: RowContext): string {
  const ids = row.tasks.map(({ id }) => taskIdText(id)).join(', ');
  const lines = present(
    rowLabel(row),
    ...rowSentences(row, context).map(shortText),
    row.dataset,
    ids === '' ? undefined : vscode.l10n.t('Task ID: {0}', shortText(ids)),
    row.path ?? undefined,
  );
  return lines.map(oneLine).join('\n');
}

/** Groups with at most this many rows are initially expanded. */
const MAX_EXPANDED = 10;

interface GroupPlace extends Pick<RowPlace, 'nowMs' | 'why' | 'namesDataset'> {
  readonly id: string;
  readonly isFiltered: boolean;
}

/** Shows why a batch or other group is waiting, and the number of rows in each state. */
export function groupItem(group: ShownGroup, place: GroupPlace): vscode.TreeItem {
  const { by, counts, batch, isRepeated, destination } = group;
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const total = countIn(counts);
  const { label, icon } = groupLook(group, place.why);
  const folderOrHost = batch === undefined ? URL.parse(destination?.origin ?? '')?.host : batch.folder;
  const facts = present(
    isRepeated ? folderOrHost : undefined,
    formatWaits(counts, place.why),
    ...(by === 'state' ? [formatCount(total)] : formatCounts(counts)),
    batch && formatAge(batch.beganMs, place.nowMs),
    batch && place.namesDataset ? destination?.dataset : undefined,
  );
  const isOpen = (by === 'batch' || place.isFiltered) && total <= MAX_EXPANDED;
  const item = new vscode.TreeItem(label, isOpen ? Expanded : Collapsed);
  item.id = place.id;
  item.description = facts.join(' · ');
  item.iconPath = icon;
  item.contextValue = groupTraits(group, place.why);
  const files = vscode.l10n.t('files: {0}', formatCount(total));
  item.tooltip = present(label, files, ...facts, isRepeated ? undefined : folderOrHost).join('\n');
  item.accessibilityInformation = { label: formatList([label, files, ...facts]) };
  return item;
}

/** A batch's icon shows whether its uploads are running or paused. Once they have ended, it is the icon of the worst row. */
function groupLook({ by, value, counts, batch, destination, example }: ShownGroup, why: WhyWaits | undefined) {
  switch (by) {
    case 'batch': {
      const worst = STATES.find((state) => (counts[state] ?? 0) > 0) ?? 'succeeded';
      const uploading = why === undefined ? ICONS.sending : PAUSED;
      return { label: batch?.label ?? '', icon: themeIcon(countIn(counts, UNSENT) > 0 ? uploading : ICONS[worst]) };
    }
    case 'destination':
      return { label: destination?.dataset ?? '', icon: new vscode.ThemeIcon('database') };
    case 'state':
      return { label: capitalized(formatState(value as State)), icon: themeIcon(ICONS[value as State]) };
    case 'reason':
      if (value === null || example === undefined)
        return { label: vscode.l10n.t('No problems'), icon: new vscode.ThemeIcon('list-flat') };
      return { label: formatProblem(example), icon: themeIcon(ICONS[example.state]) };
  }
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
