import { Disposable, l10n } from 'vscode';
import { partsOfList } from '../../tasks/history/walk';
import type { ImportResult, ImportRun } from '../../tasks/serving/importRun';
import { taskIdsOf } from '../../tasks/severalTasks';
import { type EndedPhase, type TrackedTask, wasAcceptedEarly, wasNotAccepted } from '../../tasks/trackedTask';
import { formatSentences } from '../language/formatLists';
import { mapResponses } from '../mapping/mapResponses';
import { formatCount } from '../platform/formatNumbers';
import { formatEarly, formatEnd, formatFailure, formatRefusal, formatSent } from '../platform/formatOutcome';
import { listen } from '../platform/listen';
import type { Action } from '../platform/userError';
import { taskLabel } from '../taskItems/taskItem';
import { helpAction } from '../tree/pickTaskFor';
import {
  type EndedImport,
  helpAfterRejection,
  lookAction,
  type ReportServices,
  showTaskAction,
} from './helpAfterImport';
import { importAgainAction, importInRows } from './importAgain';
import { likelyHelp, mainRejection } from './repeatedRejections';

type Unconfirmed = Extract<EndedPhase, { readonly kind: 'unconfirmed' }>;

/** Reports the end of each run of imports. */
export function reportRuns(services: ReportServices): Disposable {
  const { events } = services.queue;
  return Disposable.from(
    listen(events, 'ended', (run) => void reportRun(services, run)),
    listen(events, 'unrecorded', (error) => void services.messages.error(error)),
  );
}

/** One of several imports, as their message counts it. */
interface EndedOne extends ImportResult {
  readonly hasTaskId: boolean;
  readonly isEarly: boolean;
}

/** Shows the outcome of a single file in full, and of several files as counts. */
export async function reportRun(services: ReportServices, run: ImportRun): Promise<void> {
  const ended: EndedOne[] = [];
  for (const some of partsOfList(run.results)) {
    const tasks = new Map((await services.list.findAll(some.map(({ key }) => key))).map((task) => [task.key, task]));
    for (const result of some) {
      const task = tasks.get(result.key);
      if (task !== undefined)
        ended.push({ ...result, hasTaskId: task.taskId !== undefined, isEarly: wasAcceptedEarly(task) });
    }
  }
  const [first] = ended;
  if (first === undefined) return run.results.length === 0 ? reportNone(services, run) : undefined;
  const task = ended.length === 1 && run.notQueued === 0 ? await services.list.find(first.key) : undefined;
  await (task === undefined ? reportAll(services, ended, run) : reportOne(services, { task, end: first.end }, run));
}

/** Reports a run all of whose files were skipped. */
async function reportNone({ announcements }: ReportServices, run: ImportRun): Promise<void> {
  const message = l10n.t('Nothing was uploaded to {0}.', run.dataset);
  await announcements.done(formatSentences([message, ...formatSkipped(run)]));
}

async function reportOne(services: ReportServices, ended: EndedImport, run: ImportRun): Promise<void> {
  const { announcements } = services;
  const { task, end } = ended;
  const { dataset } = run;
  const file = taskLabel(task);
  const said = (...sentences: string[]) => formatSentences([...sentences, ...formatSkipped(run)]);
  switch (end.kind) {
    case 'accepted': {
      const early = wasAcceptedEarly(task) ? [formatEarly()] : [];
      if (task.taskId === undefined) {
        const message = l10n.t("Uploaded '{0}' to {1}, but no task ID was recognized in the response.", file, dataset);
        const map = helpAction('mapResponses', task, (target) => mapResponses(services, target));
        return announcements.problem(said(message, ...early), map, showDetailsAction(task.key));
      }
      const message = said(formatImported(task, dataset), ...early);
      const show = showTaskAction(services, task.key);
      return early.length > 0 ? announcements.problem(message, show) : announcements.imported(message, show);
    }
    case 'rejected': {
      const message = l10n.t("{0} rejected '{1}': {2}", dataset, file, formatRefusal(end.refusal));
      const help = await helpAfterRejection(services, ended, [task]);
      return announcements.problem(said(message), ...withLook(end, help, [lookAction(services, task)]));
    }
    case 'notSent': {
      const { failure } = end;
      if (failure.name === 'CanceledError')
        return announcements.done(l10n.t("The import of '{0}' was canceled. Nothing was sent.", file));
      const message = l10n.t("'{0}' was not uploaded. {1}", file, formatFailure(failure));
      const again = { label: l10n.t('Retry'), run: () => importInRows(services, [task]) };
      return announcements.problem(said(message), again, showTaskAction(services, task.key));
    }
    case 'unconfirmed': {
      const again = importAgainAction(services, [task.key]);
      return announcements.problem(said(formatUnconfirmed(file, dataset, end)), again, lookAction(services, task));
    }
  }
}

function formatImported(task: TrackedTask, dataset: string): string {
  const file = taskLabel(task);
  const { length } = taskIdsOf(task);
  if (length === 1) return l10n.t("Uploaded '{0}' to {1}.", file, dataset);
  const unchecked = task.phase.kind === 'accepted' ? (task.phase.leftOut ?? 0) : 0;
  const all = formatCount(length + unchecked);
  return unchecked === 0
    ? l10n.t("Uploaded '{0}' to {1} as {2} tasks.", file, dataset, all)
    : l10n.t("Uploaded '{0}' to {1} as {2} tasks. Only {3} are checked.", file, dataset, all, formatCount(length));
}

function formatUnconfirmed(file: string, dataset: string, end: Unconfirmed): string {
  const isSent = end.sentBytes === end.totalBytes;
  const what =
    end.failure.name !== 'CanceledError'
      ? [l10n.t("The import of '{0}' is unconfirmed.", file), formatEnd(end)]
      : isSent
        ? [l10n.t("The import of '{0}' was canceled after it was sent.", file)]
        : [l10n.t("The import of '{0}' was canceled while it was being sent.", file)];
  const sent = isSent ? [] : [formatSent(end.sentBytes, end.totalBytes)];
  const doubt = l10n.t('{0} may have received it. Importing again may create a duplicate.', dataset);
  return formatSentences([...what, ...sent, doubt]);
}

async function reportAll(services: ReportServices, ended: readonly EndedOne[], run: ImportRun): Promise<void> {
  const accepted = ended.filter(({ end }) => end.kind === 'accepted');
  const others = ended.filter(({ end }) => end.kind !== 'accepted');
  const withoutId = accepted.filter(({ hasTaskId }) => !hasTaskId);
  const early = accepted.filter(({ isEarly }) => isEarly).length;
  const isCanceled = ended.some(wasCanceled);
  const main = mainRejection(ended.flatMap((one) => (one.end.kind === 'rejected' ? [{ ...one, ...one.end }] : [])));
  const message = formatSentences([
    ...(run.begunElsewhere !== undefined ? [l10n.t('Resumed imports from a closed window.')] : []),
    ...(isCanceled ? [l10n.t('The import was canceled.')] : []),
    ...formatCounts(ended, run.dataset, run.notQueued),
    ...formatSkipped(run),
    ...(main === undefined ? [] : [main.sentence]),
    ...(isCanceled ? [] : whyNotSent(ended)),
    ...(withoutId.length > 0
      ? [l10n.t('No task ID was recognized in {0} of the responses.', formatCount(withoutId.length))]
      : []),
    ...(early > 0 ? [l10n.t('{0} of the responses came before the whole file was sent.', formatCount(early))] : []),
  ]);
  const [example] = await services.list.findAll(withoutId.slice(0, 1).map(({ key }) => key));
  const map =
    example === undefined ? [] : [helpAction('mapResponses', example, (target) => mapResponses(services, target))];
  const again = isCanceled && run.notQueued === 0 ? l10n.t('Import the Rest') : l10n.t('Retry Failed');
  const [worst = ended[0]] = others;
  const label = others.length > 0 ? l10n.t('Show Failed') : l10n.t('Show Tasks');
  const show = worst === undefined ? [] : [showTaskAction(services, worst.key, label)];
  const help = await helpAfterAll(services, others, again, main?.example);
  const actions = withLook(main?.example.end, [...help, ...map], show);
  if (withoutId.length + early > 0 || !others.every(({ end }) => isUnsentByUser(end)))
    return services.announcements.problem(message, ...actions);
  // That all were uploaded is not the end of them, which has a message.
  return isCanceled ? services.announcements.done(message, ...actions) : services.announcements.inStatusBar(message);
}

import { showDetailsAction } from '../taskItems/nextCommands';

/** The buttons that help with the imports that were not accepted, the most helpful first; `label` is that of the one that imports them again. */
async function helpAfterAll(
  services: ReportServices,
  ended: readonly EndedOne[],
  label: string,
  rejected: ImportResult | undefined,
): Promise<readonly Action[]> {
  const { list } = services;
  const failed = ended.filter(({ end }) => wasNotAccepted(end)).map(({ key }) => key);
  const task = rejected && (await list.find(rejected.key));
  if (task !== undefined && rejected !== undefined)
    return helpAfterRejection(services, { task, end: rejected.end }, await list.findAll(failed), label);
  if (failed.length > 0) return [{ label, run: async () => importInRows(services, await list.findAll(failed)) }];
  const unconfirmed = ended.filter(({ end }) => end.kind === 'unconfirmed').map(({ key }) => key);
  return unconfirmed.length > 0 ? [importAgainAction(services, unconfirmed)] : [];
}

/** If a rejection is about the file, a look at it helps most. */
function withLook(end: EndedPhase | undefined, help: readonly Action[], look: readonly Action[]): readonly Action[] {
  const isAboutFile = end?.kind === 'rejected' && help.length === 1 && likelyHelp(end.refusal) === 'file';
  return isAboutFile ? [...look, ...help] : [...help, ...look];
}

/** Why files were not uploaded: the cause that all of them share. */
function whyNotSent(ended: readonly ImportResult[]): string[] {
  const failures = ended.flatMap(({ end }) => (end.kind === 'notSent' ? [end.failure] : []));
  const causes = new Set(failures.map((failure) => formatFailure(failure)));
  return causes.size === 1 ? [...causes] : [];
}

function wasCanceled({ end }: ImportResult): boolean {
  return 'failure' in end && end.failure.name === 'CanceledError';
}

function isUnsentByUser(end: EndedPhase): boolean {
  return end.kind === 'notSent' && end.failure.name === 'CanceledError';
}

/** How many imports ended in which way, in sentences; so many more files were not queued. */
function formatCounts(ended: readonly Pick<EndedImport, 'end'>[], dataset: string, notQueued: number): string[] {
  const count = (kind: EndedPhase['kind']) => ended.filter(({ end }) => end.kind === kind).length;
  const accepted = count('accepted');
  const files = ended.length + notQueued;
  const all = formatCount(files);
  return [
    accepted === files
      ? l10n.t('Uploaded {0} files to {1}.', all, dataset)
      : l10n.t('Uploaded {0} of {1} files to {2}.', formatCount(accepted), all, dataset),
    ...sentence(count('rejected'), l10n.t('1 file was rejected.'), (many) => l10n.t('{0} files were rejected.', many)),
    ...sentence(count('unconfirmed'), l10n.t('1 file is unconfirmed.'), (many) =>
      l10n.t('{0} files are unconfirmed.', many),
    ),
    ...sentence(count('notSent'), l10n.t('1 file was not uploaded.'), (many) =>
      l10n.t('{0} files were not uploaded.', many),
    ),
  ];
}

/** How many files were not imported with a run, in sentences. */
function formatSkipped({ leftOut, notQueued, alreadyImporting }: ImportRun): string[] {
  const { duplicates, files } = leftOut;
  return [
    ...sentence(notQueued, l10n.t('1 file was not queued.'), (many) => l10n.t('{0} files were not queued.', many)),
    ...sentence(duplicates, l10n.t('1 duplicate was skipped.'), (many) => l10n.t('{0} duplicates were skipped.', many)),
    ...sentence(files, l10n.t('1 file was skipped.'), (many) => l10n.t('{0} files were skipped.', many)),
    ...(alreadyImporting > 0
      ? [l10n.t('Skipped because already being imported: {0}.', formatCount(alreadyImporting))]
      : []),
  ];
}

function sentence(count: number, one: string, several: (count: string) => string): string[] {
  return count === 0 ? [] : [count === 1 ? one : several(formatCount(count))];
}
