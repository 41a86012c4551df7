import { l10n } from 'vscode';
import { taskIdText } from '../service/taskId';
import type { ImportResult } from '../tasks/importer';
import { failureOf } from '../tasks/trackedTask';
import { knownDataset } from './chooseDataset';
import { editRequest } from './commands/editRequest';
import { chooseFactOfTask, type MapDeps } from './commands/mapAnswers';
import { enterAccessKey } from './enterAccessKey';
import type { LastAnswers } from './lastAnswers';
import type { Messages } from './messages';
import { taskLabel } from './taskItem';
import type { TasksView } from './tasksView';
import type { Action } from './userError';
import { failureWords, refusalWords, sizeWords } from './words';

/** What telling of an import takes: its messages offer the next steps. */
export interface ReportDeps extends MapDeps {
  readonly messages: Messages;
  readonly tasksView: TasksView;
  readonly answers: LastAnswers;
  /** Sends the same files once more; offered only where the service has certainly not taken them. */
  readonly importAgain: () => Promise<void>;
}

/** Says how an import ended, with one message: a file's outcome in full, or for several the count of each. */
export function reportImport(
  deps: ReportDeps,
  results: readonly ImportResult[],
  wanted: number,
  dataset: string,
): Promise<void> {
  const [first] = results;
  if (wanted === 1 && first !== undefined) return reportOne(deps, first, dataset);
  return reportAll(deps, results, wanted, dataset);
}

function reportOne(deps: ReportDeps, { task, outcome }: ImportResult, dataset: string): Promise<void> {
  const { messages } = deps;
  const file = taskLabel(task);
  const show = showTask(deps, task.key);
  switch (outcome.kind) {
    case 'accepted': {
      const { taskId } = outcome.taken;
      return taskId === undefined
        ? messages.warn(
            l10n.t("'{0}' accepted '{1}', but no task ID was recognised in its answer.", dataset, file),
            chooseTaskId(deps, task.key),
            showAnswer(deps, task.key),
          )
        : messages.done(l10n.t("'{0}' accepted '{1}' as task {2}.", dataset, file, taskIdText(taskId)), show);
    }
    case 'rejected': {
      const words = l10n.t("'{0}' rejected '{1}': {2}", dataset, file, refusalWords(outcome.refusal));
      const actions = outcome.badKey ? [replaceKey(deps, dataset)] : [];
      return messages.warn(words, ...actions, editRequestOf(deps, dataset), show);
    }
    case 'notSent':
      return outcome.cause.name === 'CancelledError'
        ? messages.done(l10n.t("The import of '{0}' was cancelled. Nothing was sent.", file))
        : messages.warn(
            l10n.t("'{0}' was not sent. {1}", file, failureWords(failureOf(outcome.cause))),
            tryAgain(deps),
          );
    case 'unconfirmed': {
      const { cause, sentBytes, totalBytes } = outcome;
      const question = l10n.t("It is not certain whether '{0}' took '{1}'.", dataset, file);
      const left =
        sentBytes === totalBytes
          ? l10n.t('The whole request had left.')
          : l10n.t('{0} of {1} of the request had left.', sizeWords(sentBytes), sizeWords(totalBytes));
      const hint = l10n.t('Importing it again may import it twice.');
      return messages.warn([question, failureWords(failureOf(cause)), left, hint].join(' '), show);
    }
  }
}

function reportAll(deps: ReportDeps, results: readonly ImportResult[], wanted: number, dataset: string): Promise<void> {
  const count = (kind: ImportResult['outcome']['kind']) =>
    results.filter(({ outcome }) => outcome.kind === kind).length;
  const accepted = count('accepted');
  const notBegun = wanted - results.length + count('notSent');
  const parts = [
    accepted === wanted
      ? l10n.t("'{0}' accepted all {1} files", dataset, wanted)
      : l10n.t("'{0}' accepted {1} of {2} files", dataset, accepted, wanted),
    ...(count('rejected') > 0 ? [l10n.t('{0} rejected', count('rejected'))] : []),
    ...(count('unconfirmed') > 0 ? [l10n.t('{0} unconfirmed', count('unconfirmed'))] : []),
    ...(notBegun > 0 ? [l10n.t('{0} not sent', notBegun)] : []),
  ];
  const worst = results.find(({ outcome }) => outcome.kind !== 'accepted') ?? results[0];
  const actions = worst === undefined ? [] : [showTask(deps, worst.task.key)];
  const words = `${parts.join(', ')}.`;
  return accepted === wanted ? deps.messages.done(words, ...actions) : deps.messages.warn(words, ...actions);
}

function showTask({ tasksView }: ReportDeps, key: number): Action {
  return { label: l10n.t('Show Task'), run: () => tasksView.reveal(key) };
}

function showAnswer({ answers }: ReportDeps, key: number): Action {
  return { label: l10n.t('Show Answer'), run: () => answers.show(key) };
}

function chooseTaskId(deps: ReportDeps, key: number): Action {
  return {
    label: l10n.t('Choose the Task ID…'),
    run: () => chooseFactOfTask(deps, 'taskId', { taskKey: key }, undefined),
  };
}

/** Leads from the service's refusal to the part that it minds, and back to the import. */
function editRequestOf(deps: ReportDeps, name: string): Action {
  const edit = async (): Promise<void> => {
    if (!(await editRequest(deps, { dataset: knownDataset(deps, name) }))) return;
    const again = { label: l10n.t('Import Again'), run: deps.importAgain };
    await deps.messages.done(l10n.t("What is sent to dataset '{0}' was changed.", name), again, editMore);
  };
  const editMore = { label: l10n.t('Edit Request…'), run: edit };
  return editMore;
}

function tryAgain({ importAgain }: ReportDeps): Action {
  return { label: l10n.t('Try Again'), run: importAgain };
}

function replaceKey({ keys, datasets, importAgain }: ReportDeps, name: string): Action {
  const run = async () => {
    const dataset = datasets.find(name);
    if (dataset !== undefined && (await enterAccessKey(keys, dataset)) !== undefined) await importAgain();
  };
  return { label: l10n.t('Replace Access-Key…'), run };
}
