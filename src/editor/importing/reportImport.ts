import { type Disposable, l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { ImportRun } from '../../tasks/queue/importRun';
import { type EndedPhase, type Failure, type TrackedTask, wasAcceptedEarly } from '../../tasks/trackedTask';
import { replaceAccessKey } from '../accessKeys/enterAccessKey';
import { datasetNamed } from '../datasets/findDataset';
import { chooseFieldAction, type MapDeps } from '../mapping/mapResponses';
import { formatEarly, formatEnd, formatFailure, formatLeft, formatRefusal } from '../platform/formatOutcome';
import type { Messages } from '../platform/messages';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { editRequestAction } from '../requests/editRequest';
import type { LastResponses } from '../requests/lastResponses';
import { showResponse } from '../requests/showResponse';
import { taskLabel } from '../tree/taskItem';
import type { TasksView } from '../tree/tasksView';
import { type RetryDeps, retry, retryAnywayAction } from './retryImport';

/** What telling of imports takes: its messages offer the next steps. */
export interface ReportDeps extends MapDeps, RetryDeps {
  readonly messages: Messages;
  readonly tasksView: TasksView;
  readonly responses: LastResponses;
}

/** Says at the end of each run of imports, with one message, how it ended. */
export class ImportReports implements Disposable {
  readonly #deps: ReportDeps;

  constructor(deps: ReportDeps) {
    this.#deps = deps;
    deps.queue.events.on('ended', this.#tell);
    deps.queue.events.on('unrecorded', this.#tellTrouble);
  }

  dispose(): void {
    this.#deps.queue.events.off('ended', this.#tell);
    this.#deps.queue.events.off('unrecorded', this.#tellTrouble);
  }

  readonly #tell = (run: ImportRun) => void reportRun(this.#deps, run);
  readonly #tellTrouble = (error: unknown) => void this.#deps.messages.error(error);
}

/** Says how a run ended: a file's outcome in full, or for several the count of each. */
export async function reportRun(deps: ReportDeps, run: ImportRun): Promise<void> {
  const ended = run.results.flatMap(({ key, end, isBadKey }) => {
    const task = deps.list.get(key);
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
        const words = l10n.t("'{0}' accepted '{1}', but no task ID was recognised in its answer.", dataset, file);
        const choose = chooseFieldAction(deps, 'taskId', task.key);
        return messages.warn([words, ...early].join(' '), choose, showResponse(deps.responses, task.key));
      }
      const words = l10n.t("'{0}' accepted '{1}' as task {2}.", dataset, file, shortText(taskIdText(taskId)));
      return early.length > 0 ? messages.warn([words, ...early].join(' '), show) : messages.done(words, show);
    }
    case 'rejected': {
      const words = l10n.t("'{0}' rejected '{1}': {2}", dataset, file, formatRefusal(end.refusal));
      const mend = isBadKey ? replaceKey(deps, [task], dataset) : editRequestOf(deps, task, dataset);
      return messages.warn(words, mend, show);
    }
    case 'notSent': {
      const { failure } = end;
      return failure.name === 'CanceledError'
        ? messages.done(l10n.t("The import of '{0}' was cancelled. Nothing was sent.", file))
        : messages.warn(l10n.t("'{0}' was not sent. {1}", file, formatFailure(failure)), tryAgain(deps, task));
    }
    case 'unconfirmed': {
      const question = l10n.t("It is not certain whether '{0}' took '{1}'.", dataset, file);
      const left = formatLeft(end.sentBytes, end.totalBytes);
      const hint = l10n.t('Importing it again may import it twice.');
      const words = [question, formatEnd(end), left, hint].join(' ');
      return messages.warn(words, show, retryAnywayAction(deps, task.key));
    }
  }
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
  const words = [
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
  const replace = badKey ? [replaceKey(deps, failed, dataset)] : [];
  const retry = failed.length > 0 && !badKey ? [retryFailed(deps, failed, isCanceled)] : [];
  const offers = [...replace, ...retry, ...choose, ...show];
  const isAsWanted = notSent.every(({ end }) => failureNameOf(end) === 'CanceledError');
  return isAsWanted && rejected.length + unconfirmed.length + withoutId.length + early === 0
    ? deps.messages.done(words, ...offers)
    : deps.messages.warn(words, ...offers);
}

/** Why files were not sent, once: what stopped the batch, or the one cause that all of them have. */
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

/** Leads from the service's refusal to the part that it minds, and back to the import. */
function editRequestOf(deps: ReportDeps, task: TrackedTask, name: string): Action {
  const edit: Action = editRequestAction(
    deps,
    () => datasetNamed(deps, name),
    () => {
      const again = { label: l10n.t('Import Again'), run: () => retry(deps, [task]) };
      return deps.messages.done(l10n.t("What is sent to dataset '{0}' was changed.", name), again, edit);
    },
  );
  return edit;
}

function tryAgain(deps: ReportDeps, task: TrackedTask): Action {
  return { label: l10n.t('Try Again'), run: () => retry(deps, [task]) };
}

function retryFailed(deps: ReportDeps, tasks: readonly TrackedTask[], isCanceled: boolean): Action {
  const label = isCanceled ? l10n.t('Import the Rest') : l10n.t('Retry Failed');
  return { label, run: () => retry(deps, tasks) };
}

function replaceKey(deps: ReportDeps, tasks: readonly TrackedTask[], name: string): Action {
  return replaceAccessKey(
    deps.keys,
    () => deps.datasets.find(name),
    () => retry(deps, tasks),
  );
}
