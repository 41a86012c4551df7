import { posix } from 'node:path';
import { l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { type AcceptedContent, isReceived } from '../../tasks/rows/acceptedContents';
import { taskState } from '../../tasks/trackedTask';
import type { CollectedFile } from '../collecting/collectFiles';
import { formatSentences } from '../language/formatLists';
import { formatAge, formatCount } from '../platform/formatNumbers';
import { oneLine, shortText } from '../platform/outsideText';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { formatAnyState, formatState } from '../taskItems/formatState';
import type { ChosenFile } from './fileGroups';

/** Max names listed in a dialog. */
const NAMED = 10;

/** Asks about a single file that may hold secrets; of several, the list does. */
export async function confirmSensitive({
  relativePath,
  isSensitive,
}: Pick<CollectedFile, 'relativePath' | 'isSensitive'>): Promise<boolean> {
  if (!isSensitive) return true;
  return window.confirm(l10n.t("'{0}' may contain secrets. Import it anyway?", relativePath), '', l10n.t('Import'));
}

/** Asks about a link that leads to a file outside the workspace. */
export async function confirmOutside({
  relativePath,
  outside,
}: Pick<CollectedFile, 'relativePath' | 'outside'>): Promise<boolean> {
  if (outside === undefined) return true;
  const question = l10n.t("'{0}' is stored outside the workspace. Import it anyway?", relativePath);
  return window.confirm(question, l10n.t('{0} → {1}', relativePath, outside), l10n.t('Import'));
}

/** Lists what cannot be imported, and asks whether to import the rest. @throws UserError where nothing is left */
export async function confirmBadFiles(good: number, bad: readonly string[]): Promise<boolean> {
  if (bad.length === 0) return true;
  if (good === 0) throw new UserError(l10n.t('Nothing was imported. {0}', formatSentences(namedList(bad))));
  const question = l10n.t(
    '{0} of {1} files cannot be imported.',
    formatCount(bad.length),
    formatCount(good + bad.length),
  );
  const button = good === 1 ? l10n.t('Import the Other File') : l10n.t('Import the Other {0} Files', formatCount(good));
  return window.confirm(question, namedList(bad).join('\n'), button);
}

/** Asks about a single file that was imported before, or whose import failed in a way that it may have been. */
export async function confirmRepeated(
  { relativePath, standing }: ChosenFile,
  dataset: string,
  nowMs: number,
): Promise<boolean> {
  const name = posix.basename(relativePath);
  const again = l10n.t('Import Again');
  switch (standing.kind) {
    case 'new':
    case 'changed':
      return true;
    case 'running': {
      const details = [formatState(taskState(standing.task), standing.task), formatAge(standing.task.createdMs, nowMs)];
      const question = l10n.t("'{0}' is still being processed by {1}. Import it again?", name, dataset);
      const doubt = l10n.t(
        'Importing again may create a duplicate, and its present task will not be checked any more.',
      );
      return window.confirm(question, `${doubt}\n${details.join(' · ')}`, again);
    }
    case 'open':
      return window.confirm(formatMaybeBefore(name, dataset), formatAnyState(taskState(standing.task)), again);
    case 'failed':
      if (standing.earlier === undefined) return true;
      return window.confirm(formatMaybeBefore(name, dataset), formatEarlier(name, standing.earlier, nowMs), again);
    case 'moved':
    case 'copied':
    case 'unchanged': {
      const { earlier } = standing;
      const question = isReceived(earlier)
        ? l10n.t("The content of '{0}' was uploaded to {1} before.", name, dataset)
        : formatMaybeBefore(name, dataset);
      return window.confirm(question, formatEarlier(name, earlier, nowMs), again);
    }
  }
}

function formatMaybeBefore(name: string, dataset: string): string {
  return l10n.t("'{0}' may have been uploaded to {1} before.", name, dataset);
}

function formatEarlier(name: string, content: AcceptedContent, nowMs: number): string {
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
  return label === name ? l10n.t("'{0}': {1}", label, details) : l10n.t("'{0}': as '{1}', {2}", name, label, details);
}

function namedList(lines: readonly string[]): string[] {
  const more = lines.length - NAMED;
  return [...lines.slice(0, NAMED).map(oneLine), ...(more > 0 ? [l10n.t('… and {0} more', formatCount(more))] : [])];
}
