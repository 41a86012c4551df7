import { l10n } from 'vscode';
import type { Action } from '../platform/userError';
import type { LastResponses } from './lastResponses';

/** The button that opens the last response about a task. */
export function showResponse(responses: LastResponses, key: number): Action {
  return { label: l10n.t('Show Answer'), run: () => responses.show(key) };
}
