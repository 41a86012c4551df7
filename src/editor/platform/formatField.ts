import { l10n } from 'vscode';
import type { FieldName } from '../../service/response/usualNames';

const FIELDS: Readonly<Record<FieldName, () => string>> = {
  taskId: () => l10n.t('Task ID'),
  status: () => l10n.t('Status'),
  progress: () => l10n.t('Progress'),
  message: () => l10n.t('Message'),
};

export function formatField(field: FieldName): string {
  return FIELDS[field]();
}

/** Formats a field's JSON Pointer. An empty pointer stands for all of `data`. */
export function formatPlace(pointer: string): string {
  return pointer === '' ? l10n.t('the whole response') : pointer;
}
