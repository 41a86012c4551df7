import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { formatCount } from '../platform/formatNumbers';
import { window } from '../platform/window';
import type { TouchedTasks } from './mapping';

/** Asks before a changed mapping alters how tasks ended. */
export function confirmMapping({ tasks, ended }: TouchedTasks, { name }: Dataset): Promise<boolean> {
  const question =
    tasks === 1
      ? l10n.t("Apply this to 1 task of dataset '{0}'?", name)
      : l10n.t("Apply this to {0} tasks of dataset '{1}'?", formatCount(tasks), name);
  const detail =
    ended === 1
      ? l10n.t('1 task has already ended, and this changes how.')
      : l10n.t('{0} tasks have already ended, and this changes how.', formatCount(ended));
  return window.confirm(question, detail, l10n.t('Apply'));
}
