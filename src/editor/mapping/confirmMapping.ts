import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { window } from '../platform/window';

/** Asks before a changed mapping is applied to several tasks. */
export function confirmMapping(tasks: number, { name }: Dataset): Promise<boolean> {
  const question =
    tasks === 1
      ? l10n.t("This changes 1 other task of dataset '{0}'.", name)
      : l10n.t("This changes {0} tasks of dataset '{1}'.", tasks, name);
  const detail = l10n.t('Tasks that have ended stay as they are, unless this mapping is what ended them.');
  return window.confirm(question, detail, l10n.t('Apply'));
}
