import { Disposable, l10n } from 'vscode';
import type { ImportRun } from '../../tasks/queue/importRun';
import { taskIdsOf } from '../../tasks/severalTasks';
import { type EndedPhase, type Failure, type TrackedTask, wasAcceptedEarly } from '../../tasks/trackedTask';
import { replaceAccessKey } from '../accessKeys/enterAccessKey';
import type { Announcements } from '../announcing/announcements';
import { datasetNamed } from '../datasets/findDataset';
import { chooseFieldAction, type MapDeps } from '../mapping/mapResponses';
import { formatEarly, formatEnd, formatFailure, formatRefusal, formatSent } from '../platform/formatOutcome';
import { listen } from '../platform/listen';
import type { Messages } from '../platform/messages';
import type { Action } from '../platform/userError';
import { editRequestAction } from '../requests/editRequest';
import type { LastResponses } from '../requests/lastResponses';
import { readRejection } from '../requests/rejection';
import { showResponseAction } from '../requests/showLastResponse';
import { taskLabel } from '../tree/taskItem';
import type { TasksView } from '../tree/tasksView';
import { type RetryDeps, retry, retryAnywayAction } from './retryImport';

export interface ReportDeps extends MapDeps, RetryDeps {
  readonly messages: Messages;
  readonly announcements: Announcements;
  readonly tasksView: TasksView;
  readonly responses: LastResponses;
}

/** Tells the end of each run of imports. */
export function reportRuns(deps: ReportDeps): Disposable {
  const { events } = deps.queue;
  return Disposable.from(
    listen(events, 'ended', (run) => void reportRun(deps, run)),
    listen(events, 'unrecorded', (error) => void deps.messages.error(error)),
  );
}

/** Shows the outcome of a single file in full, and of several files as counts. */
export async function reportRun(deps: ReportDeps, run: ImportRun): Promise<void> {
  const tracked = await deps.list.findAll(run.results.map(({ key }) => key));
  const tasks = new Map(tracked.map((task) => [task.key, task]));
  const ended = run.results.flatMap(({ key, end, isBadKey }) => {
    const task = tasks.get(key);
    return task === undefined ? [] : [{ task, end, isBadKey }];
  });
  const [first] = ended;
  if (first === undefined) return;
  await (ended.length === 1 ? reportOne(deps, first, run.dataset) : reportAll(deps, ended, run));
}

interface Ended {
  readonly task: TrackedTask;
  readonly end: EndedPhase;
  readonly isBadKey: boolean;
}

function reportOne(deps: ReportDeps, { task, end, isBadKey }: Ended, dataset: string): Promise<void> {
  const { announcements } = deps;
  const file = taskLabel(task);
  const show = showTask(deps, task.key);
  switch (end.kind) {
    case 'accepted': {
      const { taskId } = task;
      const early = wasAcceptedEarly(task) ? [formatEarly()] : [];
      if (taskId === undefined) {
        const message = l10n.t("Imported '{0}' to {1}, but no task ID was recognized in the response.", file, dataset);
        const choose = chooseFieldAction(deps, 'taskId', task);
        return announcements.problem(
          [message, ...early].join(' '),
          choose,
          showResponseAction(deps.responses, task.key),
        );
      }
      const message = formatImported(task, dataset);
      return early.length > 0
        ? announcements.problem([message, ...early].join(' '), show)
        : announcements.imported(message, show);
    }
    case 'rejected': {
      const message = l10n.t("'{0}' rejected '{1}': {2}", dataset, file, formatRefusal(end.refusal));
      const fix = isBadKey ? replaceKey(deps, [task], dataset) : editRequestOf(deps, task, dataset);
      return announcements.problem(message, fix, show);
    }
    case 'notSent': {
      const { failure } = end;
      if (failure.name === 'CanceledError')
        return announcements.done(l10n.t("The import of '{0}' was canceled. Nothing was sent.", file));
      const tryAgain = { label: l10n.t('Try Again'), run: () => retry(deps, [task]) };
      return announcements.problem(l10n.t("'{0}' was not sent. {1}", file, formatFailure(failure)), tryAgain);
    }
    case 'unconfirmed': {
      const question = l10n.t("It is not certain whether '{0}' took '{1}'.", dataset, file);
      const sent = formatSent(end.sentBytes, end.totalBytes);
      const hint = l10n.t('Importing it again may import it twice.');
      const message = [question, formatEnd(end), sent, hint].join(' ');
      return announcements.problem(message, show, retryAnywayAction(deps, task.key));
    }
  }
}

function formatImported(task: TrackedTask, dataset: string): string {
  const file = taskLabel(task);
  const { length } = taskIdsOf(task);
  if (length === 1) return l10n.t("Imported '{0}' to {1}.", file, dataset);
  const leftOut = task.phase.kind === 'accepted' ? task.phase.leftOut : undefined;
  return leftOut === undefined
    ? l10n.t("Imported '{0}' to {1} as {2} tasks.", file, dataset, length)
    : l10n.t("Imported '{0}' to {1} as more tasks than are checked: {2} of them are not.", file, dataset, leftOut);
}

function reportAll(deps: ReportDeps, ended: readonly Ended[], { dataset, isAdopted }: ImportRun): Promise<void> {
  const of = (kind: EndedPhase['kind']) => ended.filter(({ end }) => end.kind === kind);
  const accepted = of('accepted').length;
  const [rejected, unconfirmed, notSent] = [of('rejected'), of('unconfirmed'), of('notSent')];
  const isCanceled = ended.some(({ end }) => failureNameOf(end) === 'CanceledError');
  const withoutId = of('accepted').filter(({ task }) => task.taskId === undefined);
  const early = of('accepted').filter(({ task }) => wasAcceptedEarly(task)).length;
  const counts = [
    accepted === ended.length
      ? l10n.t('Imported {0} files to {1}', ended.length, dataset)
      : l10n.t('Imported {0} of {1} files to {2}', accepted, ended.length, dataset),
    ...(rejected.length > 0 ? [l10n.t('{0} rejected', rejected.length)] : []),
    ...(unconfirmed.length > 0 ? [l10n.t('{0} unconfirmed', unconfirmed.length)] : []),
    ...(notSent.length > 0 ? [l10n.t('{0} not sent', notSent.length)] : []),
  ].join(', ');
  const message = [
    ...(isAdopted ? [l10n.t('Resumed imports from a closed window.')] : []),
    ...(isCanceled ? [l10n.t('The import was canceled.')] : []),
    `${counts}.`,
    ...(isCanceled ? [] : whyNotSent(ended)),
    ...(withoutId.length > 0 ? [l10n.t('No task ID was recognized in {0} of the responses.', withoutId.length)] : []),
    ...(early > 0 ? [l10n.t('{0} of the responses came before the whole file was sent.', early)] : []),
  ].join(' ');
  const worst = ended.find(({ end }) => end.kind !== 'accepted') ?? ended[0];
  const show = worst === undefined ? [] : [showTask(deps, worst.task.key)];
  const choose = withoutId.slice(0, 1).map(({ task }) => chooseFieldAction(deps, 'taskId', task));
  const failed = [...rejected, ...notSent].map(({ task }) => task);
  const badKey = rejected.some(({ isBadKey }) => isBadKey);
  const resend = {
    label: isCanceled ? l10n.t('Import the Rest') : l10n.t('Retry Failed'),
    run: () => retry(deps, failed),
  };
  const fix = badKey ? [replaceKey(deps, failed, dataset)] : failed.length > 0 ? [resend] : [];
  const actions = [...fix, ...choose, ...show];
  const isOnlyCanceled = notSent.every(({ end }) => failureNameOf(end) === 'CanceledError');
  if (rejected.length + unconfirmed.length + withoutId.length + early > 0 || !isOnlyCanceled)
    return deps.announcements.problem(message, ...actions);
  return isCanceled ? deps.announcements.done(message, ...actions) : deps.announcements.imported(message, ...actions);
}

/** Why files were not sent: what stopped the batch, or the cause that all of them share. */
function whyNotSent(ended: readonly Ended[]): string[] {
  const failures = ended.flatMap(({ end }) => (end.kind === 'notSent' ? [end.failure] : []));
  const stopped = failures.find(({ name }) => name === 'CircuitOpen');
  if (stopped !== undefined) return [formatFailure(stopped)];
  const causes = new Set(failures.map(formatFailure));
  return causes.size === 1 ? [...causes] : [];
}

function failureNameOf(end: EndedPhase): Failure['name'] | undefined {
  return 'failure' in end ? end.failure.name : undefined;
}

function showTask({ tasksView }: ReportDeps, key: number): Action {
  return { label: l10n.t('Show Task'), run: () => tasksView.reveal(key) };
}

/** The button that edits the request which the service rejected, and then imports again. */
function editRequestOf(deps: ReportDeps, task: TrackedTask, name: string): Action {
  return editRequestAction(
    deps,
    () => datasetNamed(deps, name),
    () => retry(deps, [task]),
    () => readRejection(deps.list, task),
    l10n.t('Edit Request and Import Again…'),
  );
}

function replaceKey(deps: ReportDeps, tasks: readonly TrackedTask[], name: string): Action {
  return replaceAccessKey(
    deps,
    () => deps.datasets.find(name),
    () => retry(deps, tasks),
  );
}
