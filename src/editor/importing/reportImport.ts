import { Disposable, l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { ImportRun } from '../../tasks/queue/importRun';
import { taskIdsOf } from '../../tasks/severalTasks';
import { type EndedPhase, type Failure, type TrackedTask, wasAcceptedEarly } from '../../tasks/trackedTask';
import { replaceAccessKey } from '../accessKeys/enterAccessKey';
import { datasetNamed } from '../datasets/findDataset';
import { chooseFieldAction, type MapDeps } from '../mapping/mapResponses';
import { formatEarly, formatEnd, formatFailure, formatRefusal, formatSent } from '../platform/formatOutcome';
import { listen } from '../platform/listen';
import type { Messages } from '../platform/messages';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { editRequestAction, requestChanged } from '../requests/editRequest';
import type { LastResponses } from '../requests/lastResponses';
import { readRejection } from '../requests/rejection';
import { showResponseAction } from '../requests/showLastResponse';
import { taskLabel } from '../tree/taskItem';
import type { TasksView } from '../tree/tasksView';
import { type RetryDeps, retry, retryAnywayAction } from './retryImport';

export interface ReportDeps extends MapDeps, RetryDeps {
  readonly messages: Messages;
  readonly tasksView: TasksView;
  readonly responses: LastResponses;
}

/** Shows one message at the end of each run of imports. */
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
  const { messages } = deps;
  const file = taskLabel(task);
  const show = showTask(deps, task.key);
  switch (end.kind) {
    case 'accepted': {
      const { taskId } = task;
      const early = wasAcceptedEarly(task) ? [formatEarly()] : [];
      if (taskId === undefined) {
        const message = l10n.t("'{0}' accepted '{1}', but no task ID was recognised in its answer.", dataset, file);
        const choose = chooseFieldAction(deps, 'taskId', task.key);
        return messages.warn([message, ...early].join(' '), choose, showResponseAction(deps.responses, task.key));
      }
      const message = formatAccepted(task, taskIdsOf(task).map(taskIdText), dataset);
      return early.length > 0 ? messages.warn([message, ...early].join(' '), show) : messages.done(message, show);
    }
    case 'rejected': {
      const message = l10n.t("'{0}' rejected '{1}': {2}", dataset, file, formatRefusal(end.refusal));
      const fix = isBadKey ? replaceKey(deps, [task], dataset) : editRequestOf(deps, task, dataset);
      return messages.warn(message, fix, show);
    }
    case 'notSent': {
      const { failure } = end;
      if (failure.name === 'CanceledError')
        return messages.done(l10n.t("The import of '{0}' was cancelled. Nothing was sent.", file));
      const tryAgain = { label: l10n.t('Try Again'), run: () => retry(deps, [task]) };
      return messages.warn(l10n.t("'{0}' was not sent. {1}", file, formatFailure(failure)), tryAgain);
    }
    case 'unconfirmed': {
      const question = l10n.t("It is not certain whether '{0}' took '{1}'.", dataset, file);
      const sent = formatSent(end.sentBytes, end.totalBytes);
      const hint = l10n.t('Importing it again may import it twice.');
      const message = [question, formatEnd(end), sent, hint].join(' ');
      return messages.warn(message, show, retryAnywayAction(deps, task.key));
    }
  }
}

function formatAccepted(task: TrackedTask, ids: readonly string[], dataset: string): string {
  const file = taskLabel(task);
  if (ids.length === 1) return l10n.t("'{0}' accepted '{1}' as task {2}.", dataset, file, shortText(ids.join()));
  const leftOut = task.phase.kind === 'accepted' ? task.phase.leftOut : undefined;
  return leftOut === undefined
    ? l10n.t("'{0}' accepted '{1}' as {2} tasks.", dataset, file, ids.length)
    : l10n.t("'{0}' accepted '{1}' as more tasks than are checked: {2} of them are not.", dataset, file, leftOut);
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
      ? l10n.t("'{0}' accepted all {1} files", dataset, ended.length)
      : l10n.t("'{0}' accepted {1} of {2} files", dataset, accepted, ended.length),
    ...(rejected.length > 0 ? [l10n.t('{0} rejected', rejected.length)] : []),
    ...(unconfirmed.length > 0 ? [l10n.t('{0} unconfirmed', unconfirmed.length)] : []),
    ...(notSent.length > 0 ? [l10n.t('{0} not sent', notSent.length)] : []),
  ].join(', ');
  const message = [
    ...(isAdopted ? [l10n.t('The imports that a closed window had left went on.')] : []),
    ...(isCanceled ? [l10n.t('The import was cancelled.')] : []),
    `${counts}.`,
    ...(isCanceled ? [] : whyNotSent(ended)),
    ...(withoutId.length > 0 ? [l10n.t('No task ID was recognised in {0} of the answers.', withoutId.length)] : []),
    ...(early > 0 ? [l10n.t('{0} of the responses came before the whole file was sent.', early)] : []),
  ].join(' ');
  const worst = ended.find(({ end }) => end.kind !== 'accepted') ?? ended[0];
  const show = worst === undefined ? [] : [showTask(deps, worst.task.key)];
  const choose = withoutId.slice(0, 1).map(({ task }) => chooseFieldAction(deps, 'taskId', task.key));
  const failed = [...rejected, ...notSent].map(({ task }) => task);
  const badKey = rejected.some(({ isBadKey }) => isBadKey);
  const resend = {
    label: isCanceled ? l10n.t('Import the Rest') : l10n.t('Retry Failed'),
    run: () => retry(deps, failed),
  };
  const fix = badKey ? [replaceKey(deps, failed, dataset)] : failed.length > 0 ? [resend] : [];
  const actions = [...fix, ...choose, ...show];
  const isOnlyCanceled = notSent.every(({ end }) => failureNameOf(end) === 'CanceledError');
  return isOnlyCanceled && rejected.length + unconfirmed.length + withoutId.length + early === 0
    ? deps.messages.done(message, ...actions)
    : deps.messages.warn(message, ...actions);
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

/** The button that edits the request which the service rejected, and then offers to import again. */
function editRequestOf(deps: ReportDeps, task: TrackedTask, name: string): Action {
  const dataset = () => datasetNamed(deps, name);
  const edit: Action = editRequestAction(
    deps,
    dataset,
    () => {
      const again = { label: l10n.t('Import Again'), run: () => retry(deps, [task]) };
      return requestChanged(deps, dataset(), again, edit.run);
    },
    () => readRejection(deps.list, task),
  );
  return edit;
}

function replaceKey(deps: ReportDeps, tasks: readonly TrackedTask[], name: string): Action {
  return replaceAccessKey(
    deps.keys,
    () => deps.datasets.find(name),
    () => retry(deps, tasks),
  );
}
