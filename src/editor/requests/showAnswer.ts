import { l10n } from 'vscode';
import type { Action } from '../platform/userError';
import type { LastAnswers } from './lastAnswers';

/** The button that opens the service's last answer about a task. */
export function showAnswer(answers: LastAnswers, key: number): Action {
  return { label: l10n.t('Show Answer'), run: () => answers.show(key) };
}
