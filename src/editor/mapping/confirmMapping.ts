import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { formatCount } from '../platform/formatNumbers';
import { window } from '../platform/window';

/** Asks before a changed mapping is applied to several tasks. */
export function confirmMapping(tasks: number, { name }: Dataset): Promise<boolean> {
  const question =
    tasks === 1
      ? l10n.t("Apply this to 1 other task of dataset '{0}' too?", name)
      : l10n.t("Apply this to {0} tasks of dataset '{1}'?", formatCount(tasks), name);
  const detail = l10n.t('Their last responses will be read again. No other task changes.');
  return window.confirm(question, detail, l10n.t('Apply'));
}
