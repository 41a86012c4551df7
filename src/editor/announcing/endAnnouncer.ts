import * as vscode from 'vscode';
import type { BatchSummary } from '../../tasks/history/batchSummary';
import type { BatchRun } from '../../tasks/rows/runs';
import type { Notice } from '../../tasks/store/notices';
import type { Store } from '../../tasks/store/store';
import type { TaskState, TrackedTask } from '../../tasks/trackedTask';
import { formatList } from '../language/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { shortText } from '../platform/outsideText';
import { type Action, commandAction } from '../platform/userError';
import type { Services } from '../services/services';
import { countOf, stateCounts, sumOf } from '../taskItems/batchItem';
import { taskLabel } from '../taskItems/taskItem';
import type { TasksView } from '../tree/tasksView';
import { afterChanges } from './afterChanges';
import type { Announcements } from './announcements';

/** A window in the background leaves it to the one that the user looks at, where there is one. */
const WAITS_MS = { focused: 300, inBackground: 3000 } as const;

/** Of how many tasks, those with problems first, the first of the last import is looked for. */
const LOOKED_AT = 100;

type AnnouncingServices = Pick<Services, 'list'> & {
  readonly notices: Store['notices'];
  readonly announcements: Announcements;
  readonly tasksView: Pick<TasksView, 'reveal'>;
};

/**
 * Announces what ended at its service, once in one of the windows: each batch, and each single file that failed. `onError`
 * gets unexpected errors.
 */
export function announceEnds(services: AnnouncingServices, onError: (error: unknown) => void): vscode.Disposable {
  const { list, notices } = services;
  const announce = async (notice: Notice) => {
    const answered = (await messageOf(services, notice))?.();
    // Once the message is shown, no other window needs to show it, whatever becomes of this one.
    await notices.shown(notice);
    await answered;
  };
  const look = async () => {
    for (const notice of await notices.take()) void announce(notice).catch(onError);
  };
  const pauseMs = () => (vscode.window.state.focused ? WAITS_MS.focused : WAITS_MS.inBackground);
  return afterChanges(list, pauseMs, look, onError);
}

/** What shows the message; undefined where its tasks are not tracked any more. */
async function messageOf(services: AnnouncingServices, notice: Notice): Promise<(() => unknown) | undefined> {
  const { list, announcements, tasksView } = services;
  const show = ({ key }: TrackedTask, label: string): Action => ({ label, run: () => tasksView.reveal(key) });
  if (notice.kind === 'failed') {
    const task = await list.find(notice.key);
    return task && (() => announcements.problem(formatFailed(task), show(task, vscode.l10n.t('Show Task'))));
  }
  const { history } = list;
  const [batch, runs] = await Promise.all([history.batch(notice.batchId), history.runs(notice.batchId)]);
  if (batch === undefined) return;
  const last = lastAlone(runs);
  const counts = last?.counts ?? batch.counts;
  const [succeeded, failed] = [countOf(counts, isSucceeded), countOf(counts, isFailed)];
  // What has not come as far was reported when its import ended.
  if (succeeded + failed === 0) return;
  const message = last === undefined ? formatBatchEnd(batch) : formatLastEnd(batch, last.counts);
  const open = commandAction(vscode.l10n.t('Show Batch'), 'showBatch', { batchId: notice.batchId });
  if (succeeded === sumOf(counts)) return () => announcements.done(message, open);
  const page = await history.page({ group: { by: 'batch', batchId: notice.batchId }, filter: {}, limit: LOOKED_AT });
  const first = page.tasks.find(({ createdMs }) => last === undefined || createdMs === last.beganMs);
  const actions = [...(first === undefined ? [] : [show(first, vscode.l10n.t('Show Failed'))]), open];
  // What was not accepted was reported when the import ended.
  return failed > 0 ? () => announcements.problem(message, ...actions) : () => announcements.done(message, ...actions);
}

/** That a single file failed at its service, in the service's words where there are any that are recognized. */
function formatFailed(task: TrackedTask): string {
  const message = task.phase.kind === 'accepted' ? task.phase.report?.message : undefined;
  const facts = [taskLabel(task), task.dataset];
  if (message !== undefined) return vscode.l10n.t("'{0}' failed at {1}: {2}", ...facts, shortText(message));
  return vscode.l10n.t("'{0}' failed at {1}. No message was recognized in the response.", ...facts);
}

/** How the files of a batch ended at its service, in the words of its row. */
function formatBatchEnd(batch: BatchSummary): string {
  const { dataset } = batch.first;
  const [all, succeeded] = [sumOf(batch.counts), countOf(batch.counts, isSucceeded)];
  if (all === 1)
    return vscode.l10n.t(
      "{0}: the file of '{1}' ended: {2}.",
      dataset,
      batch.batch.label,
      formatList(stateCounts(batch.counts)),
    );
  if (succeeded === all)
    return vscode.l10n.t("{0}: all {1} files of '{2}' succeeded.", dataset, formatCount(all), batch.batch.label);
  return vscode.l10n.t(
    "{0}: {1} of {2} files of '{3}' succeeded, {4}.",
    ...[dataset, formatCount(succeeded), formatCount(all), batch.batch.label],
    formatList(stateCounts(batch.counts.filter(({ state }) => state !== 'succeeded'))),
  );
}

/** How the files of a batch's last import ended at its service, in the words of its row. */
function formatLastEnd({ batch, first }: BatchSummary, counts: BatchRun['counts']): string {
  return vscode.l10n.t(
    "{0}: the last import of '{1}' ended: {2}.",
    first.dataset,
    batch.label,
    formatList(stateCounts(counts)),
  );
}

/** The last run of a batch, where it began after all others had ended. */
function lastAlone([last, ...others]: readonly BatchRun[]): BatchRun | undefined {
  if (last === undefined || others.length === 0) return undefined;
  const hasEndedBefore = ({ endedMs = Number.POSITIVE_INFINITY }: BatchRun) => endedMs < last.beganMs;
  return others.every(hasEndedBefore) ? last : undefined;
}

const isSucceeded = (state: TaskState) => state === 'succeeded';
const isFailed = (state: TaskState) => state === 'failed';
