import { l10n } from 'vscode';
import type { FieldName } from '../../service/response/usualNames';

export function formatField(field: FieldName): string {
  switch (field) {
    case 'taskId':
      return l10n.t('Task ID');
    case 'status':
      return l10n.t('Status');
    case 'progress':
      return l10n.t('Progress');
    case 'message':
      return l10n.t('Message');
  }
}

/** Formats a field's JSON Pointer. An empty pointer stands for all of `data`. */
export function formatPlace(pointer: string): string {
  return pointer === '' ? l10n.t('the whole response') : pointer;
}
