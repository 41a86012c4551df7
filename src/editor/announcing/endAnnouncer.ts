import * as vscode from 'vscode';
import type { BatchSummary } from '../../tasks/history/batchSummary';
import type { TaskFilter } from '../../tasks/history/taskFilter';
import type { BatchRun } from '../../tasks/rows/runs';
import type { Notice } from '../../tasks/store/notices';
import type { Store } from '../../tasks/store/store';
import type { TaskList } from '../../tasks/store/taskList';
import type { TaskState, TrackedTask } from '../../tasks/trackedTask';
import { formatList } from '../language/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { listen } from '../platform/listen';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { stateCounts, sumOf } from '../rows/batchItem';
import { taskLabel } from '../rows/taskItem';
import type { TasksView } from '../tree/tasksView';
import type { Announcements } from './announcements';
import { Delayed } from './delayed';

/** A window in the background leaves it to the one that the user looks at, where there is one. */
const WAITS_MS = { focused: 300, inBackground: 3000 } as const;

/** Of how many tasks, those with problems first, the first of the last import is looked for. */
const LOOKED_AT = 100;

/** What is announced, and where. */
export interface AnnouncedTasks {
  readonly notices: Store['notices'];
  readonly announcements: Announcements;
  readonly tasksView: Pick<TasksView, 'reveal'>;
  /** The button that chooses where the message of a failed task is, where that helps. */
  readonly messageActions: (task: TrackedTask) => Promise<readonly Action[]>;
}

/** Announces what ended at its service, once in one of the windows: each batch, and each single file that failed. */
export class EndAnnouncer implements vscode.Disposable {
  readonly #list: TaskList;
  readonly #announced: AnnouncedTasks;
  readonly #onError: (error: unknown) => void;
  readonly #subscription: vscode.Disposable;

  /** `onError` gets unexpected errors. */
  constructor(list: TaskList, announced: AnnouncedTasks, onError: (error: unknown) => void) {
    this.#list = list;
    this.#announced = announced;
    this.#onError = onError;
    const look = new Delayed(() => this.#look(), onError);
    const lookSoon = () => look.runIn(vscode.window.state.focused ? WAITS_MS.focused : WAITS_MS.inBackground);
    this.#subscription = vscode.Disposable.from(look, listen(list.events, 'change', lookSoon));
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #look(): Promise<void> {
    for (const notice of await this.#announced.notices.take()) void this.#announce(notice).catch(this.#onError);
  }

  /** Once the message is shown, no other window needs to show it, whatever becomes of this one. */
  async #announce(notice: Notice): Promise<void> {
    const show = await this.#messageOf(notice);
    const answered = show?.();
    await this.#announced.notices.shown(notice);
    await answered;
  }

  /** What shows the message; undefined where its tasks are not tracked any more. */
  async #messageOf(notice: Notice): Promise<(() => unknown) | undefined> {
    const list = this.#list;
    const { announcements, messageActions } = this.#announced;
    if (notice.kind === 'failed') {
      const task = await list.find(notice.key);
      if (task === undefined) return;
      const choose = await messageActions(task);
      const show = this.#show(task, vscode.l10n.t('Show Task'));
      return () => announcements.problem(formatFailed(task, choose.length > 0), ...choose, show);
    }
    const { history } = list;
    const [batch, runs] = await Promise.all([history.batch(notice.batchId), history.runs(notice.batchId)]);
    if (batch === undefined) return;
    const last = lastAlone(runs);
    const counts = last?.counts ?? batch.counts;
    // What has not come as far was reported when its import ended.
    if (count(counts, 'succeeded') + count(counts, 'failed') === 0) return;
    const message = last === undefined ? formatBatchEnd(batch) : formatLastEnd(batch, last.counts);
    const open = showBatch(notice.batchId);
    if (count(counts, 'succeeded') === sumOf(counts)) return () => announcements.done(message, open);
    const isMeant = ({ createdMs }: TrackedTask) => last === undefined || createdMs === last.beganMs;
    const first = async (filter: TaskFilter) => {
      const page = await history.page({ group: { by: 'batch', batchId: notice.batchId }, filter, limit: LOOKED_AT });
      return page.tasks.filter(isMeant).slice(0, 1);
    };
    const failed = count(counts, 'failed') === 0 ? [] : await first({ states: ['failed'] });
    const choose = await Promise.all(failed.map(messageActions));
    const show = (await first({})).map((task) => this.#show(task, vscode.l10n.t('Show Failed')));
    // What was not accepted was reported when the import ended.
    const say = failed.length > 0 ? 'problem' : 'done';
    return () => announcements[say](message, ...choose.flat(), ...show, open);
  }

  #show({ key }: TrackedTask, label: string): Action {
    return { label, run: () => this.#announced.tasksView.reveal(key) };
  }
}

/** The button that opens the page of a batch. */
function showBatch(batchId: string): Action {
  const label = vscode.l10n.t('Show Batch');
  return { label, run: () => vscode.commands.executeCommand('datasetImport.showBatch', { batchId }) };
}

/** That a single file failed at its service, in the service's words where there are any that are recognized. */
function formatFailed(task: TrackedTask, mayHaveMessage: boolean): string {
  const message = task.phase.kind === 'accepted' ? task.phase.report?.message : undefined;
  const facts = [taskLabel(task), task.dataset];
  if (message !== undefined) return vscode.l10n.t("'{0}' failed at {1}: {2}", ...facts, shortText(message));
  return mayHaveMessage
    ? vscode.l10n.t("'{0}' failed at {1}. No message was recognized in the response.", ...facts)
    : vscode.l10n.t("'{0}' failed at {1}.", ...facts);
}

/** How the files of a batch ended at its service, in the words of its row. */
export function formatBatchEnd(batch: BatchSummary): string {
  const { dataset } = batch.first;
  const [all, succeeded] = [sumOf(batch.counts), count(batch.counts, 'succeeded')];
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

function count(counts: BatchRun['counts'], wanted: TaskState): number {
  return sumOf(counts.filter(({ state }) => state === wanted));
}
