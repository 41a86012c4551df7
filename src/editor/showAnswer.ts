import { l10n } from 'vscode';
import type { LastAnswers } from './lastAnswers';
import type { Action } from './userError';

/** The button that opens the service's last answer about a task. */
export function showAnswer(answers: LastAnswers, key: number): Action {
  return { label: l10n.t('Show Answer'), run: () => answers.show(key) };
}
