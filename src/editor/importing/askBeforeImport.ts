import { l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { CheckedSource } from '../../tasks/sending/sources';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import type { CollectedFile } from '../files/collectFiles';
import { formatAge, formatSize } from '../platform/formatNumbers';
import { oneLine, shortText } from '../platform/outsideText';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { formatState } from '../tree/formatState';
import { taskLabel } from '../tree/taskItem';

/** Of more than so many, the first are named and the rest counted. */
const NAMED = 10;

/** Asks about files that may hold secrets. Gives those to go on with; none where the user would rather not import. */
export async function confirmSensitive<File extends Pick<CollectedFile, 'relativePath' | 'isSensitive'>>(
  files: readonly File[],
): Promise<readonly File[]> {
  const sensitive = files.filter(({ isSensitive }) => isSensitive);
  const [first] = sensitive;
  if (first === undefined) return files;
  const question =
    files.length === 1
      ? l10n.t("'{0}' may hold secrets. Import it all the same?", first.relativePath)
      : sensitive.length === 1
        ? l10n.t('One of {0} files may hold secrets.', files.length)
        : l10n.t('{0} of {1} files may hold secrets.', sensitive.length, files.length);
  const named = sensitive.map(({ relativePath }) => relativePath);
  return settleSome(files, sensitive, question, files.length === 1 ? [] : named);
}

/**
 * Asks about files to which links lead out of the workspace. Gives those to go on with; none where the user would
 * rather not import.
 */
export async function confirmLinks<File extends Pick<CollectedFile, 'relativePath' | 'outside'>>(
  files: readonly File[],
): Promise<readonly File[]> {
  const linked = files.filter(({ outside }) => outside !== undefined);
  const [first] = linked;
  if (first === undefined) return files;
  const question =
    files.length === 1
      ? l10n.t("A link leads from '{0}' out of the workspace. Import the linked file anyway?", first.relativePath)
      : linked.length === 1
        ? l10n.t('A link leads from one of {0} files out of the workspace.', files.length)
        : l10n.t('Links lead from {0} of {1} files out of the workspace.', linked.length, files.length);
  return settleSome(
    files,
    linked,
    question,
    linked.map(({ relativePath, outside }) => l10n.t('{0} → {1}', relativePath, outside ?? '')),
  );
}

/** Asks whether to leave some of the files out, which comes first where others are left, or to import all. */
async function settleSome<File>(
  files: readonly File[],
  some: readonly File[],
  question: string,
  named: readonly string[],
): Promise<readonly File[]> {
  const asked = new Set(some);
  const others = files.filter((file) => !asked.has(file));
  const isOne = some.length === 1;
  const takeAll = files.length === 1 ? l10n.t('Import') : isOne ? l10n.t('Import It Too') : l10n.t('Import Them Too');
  const leaveOut = isOne ? l10n.t('Leave It Out') : l10n.t('Leave Them Out');
  const buttons = others.length > 0 ? [leaveOut, takeAll] : [takeAll];
  const response = await window.showWarningMessage(question, { modal: true, detail: namedList(named) }, ...buttons);
  return response === takeAll ? files : response === leaveOut ? others : [];
}

/** Tells what cannot be imported, and asks whether to go on with the others. @throws UserError where there are none */
export async function confirmBadFiles(good: number, bad: readonly string[]): Promise<boolean> {
  if (bad.length === 0) return true;
  if (good === 0) throw new UserError(l10n.t('Nothing was imported. {0}', namedList(bad).replaceAll('\n', ' ')));
  const question = l10n.t('{0} of {1} files cannot be imported.', bad.length, good + bad.length);
  const resume = good === 1 ? l10n.t('Import the Other One') : l10n.t('Import the Other {0}', good);
  return (await window.showWarningMessage(question, { modal: true, detail: namedList(bad) }, resume)) === resume;
}

/** Asks about what was imported before. Gives those to go on with; none where the user would rather not import. */
export async function confirmDuplicates(
  checked: readonly CheckedSource[],
  earlier: ReadonlyMap<CheckedSource, TrackedTask>,
  dataset: string,
  nowMs: number,
): Promise<readonly CheckedSource[]> {
  const [first] = earlier;
  if (first === undefined) return checked;
  const others = checked.filter((one) => !earlier.has(one));
  const question = formatBefore(first[0].source.name, earlier.size, checked.length, dataset);
  const again = l10n.t('Import Again');
  const skip = earlier.size === 1 ? l10n.t('Skip It') : l10n.t('Skip Them');
  const detail = namedList([...earlier].map(([one, task]) => formatEarlier(one, task, nowMs)));
  const buttons = others.length > 0 ? [skip, again] : [again];
  const response = await window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  return response === again ? checked : response === skip ? others : [];
}

/** Asks whether to begin, with count and size. `leftOut` tells in sentences what is not among them. */
export async function confirmImport(
  checked: readonly CheckedSource[],
  dataset: string,
  leftOut: readonly string[],
): Promise<boolean> {
  const bytes = checked.reduce((sum, { source }) => sum + source.sizeBytes, 0);
  const question =
    checked.length === 1
      ? l10n.t("Import 1 file ({0}) to '{1}'?", formatSize(bytes), dataset)
      : l10n.t("Import {0} files ({1}) to '{2}'?", checked.length, formatSize(bytes), dataset);
  const go = l10n.t('Import');
  return (await window.showInformationMessage(question, { modal: true, detail: namedList(leftOut) }, go)) === go;
}

function formatBefore(name: string, before: number, all: number, dataset: string): string {
  if (all === 1) return l10n.t("The content of '{0}' was imported to '{1}' before.", name, dataset);
  return before === all
    ? l10n.t("The content of all {0} files was imported to '{1}' before.", all, dataset)
    : l10n.t("The content of {0} of {1} files was imported to '{2}' before.", before, all, dataset);
}

function formatEarlier({ source }: CheckedSource, task: TrackedTask, nowMs: number): string {
  const label = taskLabel(task);
  const id = task.taskId === undefined ? [] : [l10n.t('task {0}', shortText(taskIdText(task.taskId)))];
  const words = [...id, formatState(taskState(task), task), formatAge(task.createdMs, nowMs)].join(' · ');
  return label === source.name
    ? l10n.t("'{0}': {1}", label, words)
    : l10n.t("'{0}': as '{1}', {2}", source.name, label, words);
}

function namedList(lines: readonly string[]): string {
  const more = lines.length - NAMED;
  return [...lines.slice(0, NAMED).map(oneLine), ...(more > 0 ? [l10n.t('… and {0} more', more)] : [])].join('\n');
}
