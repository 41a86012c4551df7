import { l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { AcceptedContent } from '../../tasks/rows/acceptedContents';
import type { CheckedSource } from '../../tasks/sending/checkedSource';
import { isOpenState, type TrackedTask, taskState } from '../../tasks/trackedTask';
import type { CollectedFile } from '../files/collectFiles';
import type { LeftOut } from '../files/leftOut';
import { formatAge, formatCount, formatSize } from '../platform/formatNumbers';
import { oneLine, shortText } from '../platform/outsideText';
import { UserError } from '../platform/userError';
import { type Picks, window } from '../platform/window';
import { formatAnyState, formatState } from '../rows/formatState';
import { showFiles } from './showFiles';

/** Max names listed in a dialog. */
const NAMED = 10;

/** Asks about files that may hold secrets. Resolves to the files to import; none where the user cancels. */
export async function confirmSensitive<File extends Pick<CollectedFile, 'relativePath' | 'isSensitive'>>(
  files: readonly File[],
): Promise<readonly File[]> {
  const sensitive = files.filter(({ isSensitive }) => isSensitive);
  const [first] = sensitive;
  if (first === undefined) return files;
  const question =
    files.length === 1
      ? l10n.t("'{0}' may contain secrets. Import it anyway?", first.relativePath)
      : sensitive.length === 1
        ? l10n.t('1 of {0} files may contain secrets.', formatCount(files.length))
        : l10n.t('{0} of {1} files may contain secrets.', formatCount(sensitive.length), formatCount(files.length));
  const named = sensitive.map(({ relativePath }) => relativePath);
  return confirmFlagged(files, sensitive, question, files.length === 1 ? [] : named);
}

/**
 * Asks about files outside the workspace to which links or a list lead. Resolves to the files to import; none where the
 * user cancels.
 */
export async function confirmOutside<File extends Pick<CollectedFile, 'uri' | 'relativePath' | 'outside'>>(
  files: readonly File[],
): Promise<readonly File[]> {
  const stored = files.filter(({ outside }) => outside !== undefined);
  const [first] = stored;
  if (first === undefined) return files;
  const question =
    files.length === 1
      ? l10n.t("'{0}' is stored outside the workspace. Import it anyway?", first.relativePath)
      : stored.length === 1
        ? l10n.t('1 of {0} files is stored outside the workspace.', formatCount(files.length))
        : l10n.t(
            '{0} of {1} files are stored outside the workspace.',
            formatCount(stored.length),
            formatCount(files.length),
          );
  const named = stored.map(({ uri, relativePath, outside = '' }) =>
    outside === uri.fsPath ? outside : l10n.t('{0} → {1}', relativePath, outside),
  );
  return confirmFlagged(files, stored, question, named);
}

function confirmFlagged<File>(
  files: readonly File[],
  flagged: readonly File[],
  question: string,
  named: readonly string[],
): Promise<readonly File[]> {
  const all = files.length === 1 ? l10n.t('Import') : l10n.t('Import All Files');
  const others = formatSkipFiles(flagged.length);
  return chooseAllOrOthers(files, new Set(flagged), question, namedList(named), { all, others });
}

/** Asks whether to import all files, or only those that are not flagged. The latter is the default button. */
async function chooseAllOrOthers<File>(
  files: readonly File[],
  flagged: { has(file: File): boolean },
  question: string,
  detail: string,
  buttons: { readonly all: string; readonly others: string },
): Promise<readonly File[]> {
  const others = files.filter((file) => !flagged.has(file));
  const shown = others.length > 0 ? [buttons.others, buttons.all] : [buttons.all];
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, ...shown);
  return chosen === buttons.all ? files : chosen === buttons.others ? others : [];
}

/** Lists what cannot be imported, and asks whether to import the rest. @throws UserError where nothing is left */
export async function confirmBadFiles(good: number, bad: readonly string[]): Promise<boolean> {
  if (bad.length === 0) return true;
  if (good === 0) throw new UserError(l10n.t('Nothing was imported. {0}', namedList(bad).replaceAll('\n', ' ')));
  const question = l10n.t(
    '{0} of {1} files cannot be imported.',
    formatCount(bad.length),
    formatCount(good + bad.length),
  );
  const button = good === 1 ? l10n.t('Import the Other File') : l10n.t('Import the Other {0} Files', formatCount(good));
  return window.confirm(question, namedList(bad), button);
}

/** Files that were imported before: with what has their content, and with the tasks that the service still works on. */
export interface Repeated {
  readonly earlier: ReadonlyMap<CheckedSource, AcceptedContent>;
  /** Of files that have changed since. */
  readonly running: ReadonlyMap<CheckedSource, TrackedTask>;
}

/** Asks once about files that were imported before. Resolves to the files to import; none where the user cancels. */
export async function confirmRepeated(
  checked: readonly CheckedSource[],
  { earlier, running }: Repeated,
  dataset: string,
  nowMs: number,
): Promise<readonly CheckedSource[]> {
  const asked = checked.filter((one) => earlier.has(one) || running.has(one));
  const [first] = asked;
  if (first === undefined) return checked;
  const names = [first.source.name, asked.length, checked.length, dataset] as const;
  const isCertain = [...earlier.values()].every(({ state }) => !isOpenState(state) && state !== 'unconfirmed');
  const question =
    earlier.size === 0
      ? formatRunning(...names)
      : isCertain && running.size === 0
        ? formatBefore(...names)
        : formatMaybeBefore(...names);
  const named = [
    ...[...earlier].map(([one, content]) => formatEarlier(one, content, nowMs)),
    ...[...running].map(([one, task]) => formatRunningOf(one, task, nowMs)),
  ];
  const detail = [...(running.size === 0 ? [] : [formatNotChecked(running.size)]), namedList(named)].join('\n');
  const others = running.size > 0 ? formatSkipFiles(asked.length) : formatSkipDuplicates(asked.length);
  return chooseAllOrOthers(checked, new Set(asked), question, detail, { all: l10n.t('Import Again'), others });
}

/** Asks whether to start an import, with the number and size of its files. The files can be shown before the answer. */
export async function confirmImport(
  picks: Picks,
  checked: readonly CheckedSource[],
  dataset: string,
  leftOut: LeftOut,
): Promise<boolean> {
  const bytes = checked.reduce((sum, { source }) => sum + source.sizeBytes, 0);
  const question =
    checked.length === 1
      ? l10n.t('Import 1 file ({0}) to {1}?', formatSize(bytes), dataset)
      : l10n.t('Import {0} files ({1}) to {2}?', formatCount(checked.length), formatSize(bytes), dataset);
  const [start, show] = [l10n.t('Import'), l10n.t('Show Files…')];
  const detail = namedList(leftOut.sentences);
  for (;;) {
    const chosen = await window.showInformationMessage(question, { modal: true, detail }, start, show);
    if (chosen !== show) return chosen === start;
    await showFiles(picks, question, checked, leftOut.items);
  }
}

function formatBefore(name: string, before: number, all: number, dataset: string): string {
  if (all === 1) return l10n.t("The content of '{0}' was uploaded to {1} before.", name, dataset);
  return before === all
    ? l10n.t('The content of all {0} files was uploaded to {1} before.', formatCount(all), dataset)
    : l10n.t(
        'The content of {0} of {1} files was uploaded to {2} before.',
        formatCount(before),
        formatCount(all),
        dataset,
      );
}

function formatMaybeBefore(name: string, before: number, all: number, dataset: string): string {
  if (all === 1) return l10n.t("'{0}' may have been uploaded to {1} before.", name, dataset);
  return before === all
    ? l10n.t('All {0} files may have been uploaded to {1} before.', formatCount(all), dataset)
    : l10n.t('{0} of {1} files may have been uploaded to {2} before.', formatCount(before), formatCount(all), dataset);
}

function formatSkipFiles(count: number): string {
  return count === 1 ? l10n.t('Skip This File') : l10n.t('Skip These Files');
}

function formatSkipDuplicates(count: number): string {
  return count === 1 ? l10n.t('Skip Duplicate') : l10n.t('Skip Duplicates');
}

function formatRunning(name: string, running: number, all: number, dataset: string): string {
  if (all === 1) return l10n.t("'{0}' is still being processed by {1}. Import it again?", name, dataset);
  return running === 1
    ? l10n.t('1 of {0} files is still being processed by {1}.', formatCount(all), dataset)
    : l10n.t('{0} of {1} files are still being processed by {2}.', formatCount(running), formatCount(all), dataset);
}

function formatNotChecked(running: number): string {
  return running === 1
    ? l10n.t('Importing again may create a duplicate, and its present task will not be checked any more.')
    : l10n.t('Importing again may create duplicates, and their present tasks will not be checked any more.');
}

function formatRunningOf({ source }: CheckedSource, task: TrackedTask, nowMs: number): string {
  const details = [formatState(taskState(task), task), formatAge(task.createdMs, nowMs)].join(' · ');
  return l10n.t("'{0}': {1}", source.name, details);
}

function formatEarlier({ source }: CheckedSource, content: AcceptedContent, nowMs: number): string {
  const { taskId, taskCount, state, createdMs } = content;
  const label = content.source.name;
  const id = taskId && shortText(taskIdText(taskId));
  const tasks =
    taskCount > 1
      ? [l10n.t('{0} tasks, the first one {1}', formatCount(taskCount), id ?? '')]
      : id === undefined
        ? []
        : [l10n.t('task {0}', id)];
  const details = [...tasks, formatAnyState(state), formatAge(createdMs, nowMs)].join(' · ');
  return label === source.name
    ? l10n.t("'{0}': {1}", label, details)
    : l10n.t("'{0}': as '{1}', {2}", source.name, label, details);
}

function namedList(lines: readonly string[]): string {
  const more = lines.length - NAMED;
  return [
    ...lines.slice(0, NAMED).map(oneLine),
    ...(more > 0 ? [l10n.t('… and {0} more', formatCount(more))] : []),
  ].join('\n');
}
