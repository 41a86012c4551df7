import path from 'node:path';
import { env, l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { isWithin } from '../../tasks/isWithin';
import type { Cause, FileRow, ImportOutcome, Meaning, State, StateCounts } from '../../tasks/store/model';
import { STATES, TRACKED } from '../../tasks/store/model';
import { formatAge, formatCount, formatPercent, formatQuiet, formatSize } from '../platform/format';
import { shortText } from '../platform/outsideText';
import { formatCause, formatReason, formatWhy, isPause, type WhyWaits } from './causes';

/** If a task hasn't changed for this long, its row shows that it has made no progress. */
export const QUIET_MS = 3 * 3_600_000;

/** The states of imports that haven't ended. */
export const UNSENT: readonly State[] = ['queued', 'sending'];

/** The states in which the service has received the file. */
export const UPLOADED: readonly State[] = [...TRACKED, 'noId', 'untracked', 'uploaded', 'succeeded', 'failed'];

const STATE_WORDS: Readonly<Record<State, () => string>> = {
  queued: () => l10n.t('queued'),
  sending: () => l10n.t('uploading'),
  notUploaded: () => l10n.t('not uploaded'),
  rejected: () => l10n.t('rejected'),
  unconfirmed: () => l10n.t('unconfirmed'),
  noId: () => l10n.t('task ID not recognized'),
  waiting: () => l10n.t('uploaded'),
  unknown: () => l10n.t('status not recognized'),
  running: () => l10n.t('running'),
  succeeded: () => l10n.t('succeeded'),
  failed: () => l10n.t('failed'),
  untracked: () => l10n.t('no longer tracked'),
  uploaded: () => l10n.t('marked as uploaded'),
};

/** Returns the word for a state. Rows, counts, groups, filters and messages all use it. */
export function formatState(state: State): string {
  return STATE_WORDS[state]();
}

/** Uses the word for the corresponding state. */
export function formatOutcome(outcome: ImportOutcome): string {
  return formatState(outcome === 'accepted' ? 'waiting' : outcome);
}

/** Uses the word for the corresponding state. */
export function formatMeaning(meaning: Meaning): string {
  return meaning === 'none' ? l10n.t('no status yet') : formatState(meaning);
}

/** Capitalizes the first letter according to the rules of VS Code's display language. */
export function capitalized(words: string): string {
  return words.charAt(0).toLocaleUpperCase(env.language) + words.slice(1);
}

/** Lists counts by state, problems first: "failed: 2". */
export function formatCounts(counts: StateCounts): string[] {
  return STATES.flatMap((state) => {
    const count = counts[state] ?? 0;
    return count === 0 ? [] : [l10n.t('{0}: {1}', formatState(state), formatCount(count))];
  });
}

/** Counts rows in these states, or in all states by default. */
export function countIn(counts: StateCounts, states: readonly State[] = STATES): number {
  return states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

/** Everything that a row's text depends on besides the row itself. */
export interface RowContext {
  readonly nowMs: number;
  /** Why uploads to the row's destination, or status checks there, are on hold. */
  readonly why?: WhyWaits | undefined;
  /** How many bytes have been sent so far, if this window is uploading the file. */
  readonly sentBytes?: number | undefined;
}

/**
 * Returns the state with its progress ("running 40%"), short explanations of the state, and additional details: finished
 * tasks, lack of progress, the last successful upload. Show them in this order, because a narrow view cuts off the end.
 */
export function rowWords(row: FileRow, { nowMs, why, sentBytes }: RowContext) {
  const whyNot = formatWaits({ [row.state]: 1 }, why);
  if (whyNot !== undefined) return { state: whyNot, reasons: [], notes: [] };
  const { lastUploadedMs } = row;
  const last = lastUploadedMs === null ? [] : [l10n.t('last successful upload {0}', formatAge(lastUploadedMs, nowMs))];
  return {
    state: stateWithProgress(row, sentBytes),
    reasons: reasonsOf(row, formatReason).map((reason) => shortText(reason)),
    notes: [...endedTasks(row), ...quiet(row, nowMs), ...last],
  };
}

/** Describes a row in one line: "rejected · code 42: No such dataset". */
export function formatRow(row: FileRow, context: RowContext): string {
  const { state, reasons, notes } = rowWords(row, context);
  return [state, ...reasons, ...notes].join(' · ');
}

/**
 * Describes the problem shared by rows with the same reason: "Rejected · code 42: No such dataset". `row` is any of
 * these rows.
 */
export function formatProblem(row: FileRow): string {
  const { state, reasons } = rowWords(row, { nowMs: row.changedMs });
  return capitalized([state, ...reasons].join(' · '));
}

/** Whether the row has an unfinished task. */
export function isTracked({ state }: Pick<FileRow, 'state'>): boolean {
  return TRACKED.includes(state);
}

/** Explains why rows in these states are waiting. Returns undefined if none of them are. */
export function formatWaits(counts: StateCounts, why: WhyWaits | undefined): string | undefined {
  if (why === undefined) return undefined;
  if (countIn(counts, ['queued']) > 0) return l10n.t('paused: {0}', formatWhy(why));
  return !isPause(why) && countIn(counts, TRACKED) > 0 ? l10n.t('not checked: {0}', formatWhy(why)) : undefined;
}

function stateWithProgress(row: FileRow, sentBytes: number | undefined): string {
  const { state, tasks } = row;
  const { sizeBytes } = row.import;
  if (state === 'sending' && sentBytes !== undefined) {
    if (sentBytes >= sizeBytes) return l10n.t('uploaded, waiting for the response');
    return l10n.t('uploading {0} of {1}', formatPercent(sentBytes / sizeBytes), formatSize(sizeBytes));
  }
  if (state === 'queued' && row.import.cause !== null) return l10n.t('queued, will be retried');
  const [task] = tasks;
  const progress = tasks.length === 1 && state === 'running' ? (task?.progress ?? null) : null;
  return progress === null ? formatState(state) : l10n.t('running {0}', formatPercent(progress));
}

/** Explains why a row is in its state. `format` produces either short phrases or full sentences. */
function reasonsOf(row: FileRow, format: (cause: Cause) => string): string[] {
  const { state, tasks } = row;
  const { cause } = row.import;
  const check = checkCause(row);
  const checkState = check?.name === 'Rejected' ? l10n.t('status check rejected') : l10n.t('status check failed');
  const failedCheck = check === undefined ? [] : [checkState, format(check)];
  switch (state) {
    case 'queued':
    case 'rejected':
    case 'notUploaded':
    case 'unconfirmed':
      return cause === null ? [] : [format(cause)];
    case 'failed': {
      // The service's own message, if one was recognized.
      const task = tasks.find(({ meaning, message }) => meaning === 'failed' && message !== null);
      return [task?.message ?? l10n.t('no message recognized')];
    }
    case 'unknown': {
      const status = tasks.find(({ meaning, endedMs }) => meaning === 'unknown' && endedMs === null)?.status ?? null;
      return [...(status === null ? [] : [l10n.t("'{0}'", shortText(status))]), ...failedCheck];
    }
    default:
      return failedCheck;
  }
}

/** Why the last status check failed. */
export function checkCause({ tasks }: Pick<FileRow, 'tasks'>): Cause | undefined {
  return tasks.find(({ cause, endedMs }) => cause !== null && endedMs === null)?.cause ?? undefined;
}

/** Counts ended tasks if the file has more than one task. */
function endedTasks({ tasks }: FileRow): string[] {
  if (tasks.length < 2) return [];
  return [l10n.t('{0} of {1} tasks ended', tasks.filter(({ endedMs }) => endedMs !== null).length, tasks.length)];
}

/** Shows how long an unfinished task has gone without progress, unless a failed check explains the delay. */
function quiet(row: FileRow, nowMs: number): string[] {
  const isQuiet = isTracked(row) && checkCause(row) === undefined && nowMs - row.changedMs >= QUIET_MS;
  return isQuiet ? [formatQuiet(row.changedMs, nowMs)] : [];
}

/** A row's name. A task that was created elsewhere has no file, so its task ID serves as the name. */
export function rowLabel({ name, tasks }: Pick<FileRow, 'name' | 'tasks'>): string {
  const [task] = tasks;
  if (name !== '') return name;
  return task === undefined ? l10n.t('Task') : shortText(taskIdText(task.id));
}

/** Describes a row in sentences, for tooltips and details: the state with its full reason, then advice. */
export function rowSentences(row: FileRow, context: RowContext): string[] {
  const { state, notes } = rowWords(row, context);
  const reasons = reasonsOf(row, (cause) => formatCause(cause, row.import));
  return [[capitalized(state), ...reasons, ...notes].join(' · '), ...advice(row, context.why)];
}

/** Explains unclear states and recommends commands. */
function advice(row: FileRow, why: WhyWaits | undefined): string[] {
  if (isTracked(row) && why !== undefined && !isPause(why)) return [];
  switch (row.state) {
    case 'unconfirmed':
      return [
        ...(row.import.cause?.name === 'RepeatedId'
          ? [l10n.t('Use Map Responses… if another field of the response has the task ID.')]
          : []),
        l10n.t(
          'The service may have received the file. If it has, use Attach Task ID… or Mark as Uploaded. If it has not, use Import Again. That may create a duplicate if the service has it after all.',
        ),
      ];
    case 'noId':
      return [l10n.t('The service accepted the file. Use Map Responses… or Attach Task ID… to track its task.')];
    case 'unknown':
      return [l10n.t('The task counts as unfinished until you select what this status means.')];
    default: {
      const check = checkCause(row);
      if (check === undefined) return [];
      const mayBeForgotten = check.name === 'Rejected' && check.status !== 401 && check.status !== 403;
      return [
        l10n.t('The state may have changed since the last successful check.'),
        ...(mayBeForgotten ? [l10n.t('If the service no longer knows the task, use Stop Tracking.')] : []),
      ];
    }
  }
}

/**
 * Maps each row to its folder if a row in another folder has the same name. The folders are relative to `batchFolder`,
 * or to the workspace folder if `batchFolder` returns null.
 */
export function repeatedFolders(
  rows: readonly FileRow[],
  batchFolder: (row: FileRow) => string | null = () => null,
): ReadonlyMap<number, string> {
  const files = rows.map((row) => ({ id: row.id, name: row.name, folder: folderOf(row, batchFolder(row)) }));
  const byName = Map.groupBy(files, ({ name }) => name).values();
  const repeated = [...byName].filter((same) => new Set(same.map(({ folder }) => folder)).size > 1);
  return new Map(repeated.flat().map(({ id, folder }) => [id, folder]));
}

function folderOf({ path: whole, relativePath, name }: FileRow, batchFolder: string | null): string {
  if (whole !== null && batchFolder !== null && isWithin(whole, batchFolder))
    return path.relative(batchFolder, path.dirname(whole)).replaceAll('\\', '/') || './';
  return path.posix.dirname((relativePath === name ? (whole ?? name) : relativePath).replaceAll('\\', '/'));
}
