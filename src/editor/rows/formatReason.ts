import { l10n } from 'vscode';
import { isCheckRefused } from '../../tasks/rows/listedFacts';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatSentences } from '../language/formatLists';
import { formatCause, formatFailedCheck } from './formatCause';
import { capitalized, formatState } from './formatState';

/** What tasks with the same reason share of its words: where those of the examples differ, there is an ellipsis. */
export function formatReason(examples: readonly TrackedTask[]): string {
  const [first, ...others] = examples.map(reasonText);
  if (first === undefined) return l10n.t('No problems');
  return others.reduce(commonWords, first);
}

function reasonText(task: TrackedTask): string {
  const { lastQueryError } = task;
  const cause = formatCause(task);
  if (cause.length > 0) return capitalized(formatSentences(cause));
  if (lastQueryError !== undefined && isCheckRefused(lastQueryError)) return formatFailedCheck(lastQueryError);
  return capitalized(formatState(taskState(task), task));
}

function commonWords(one: string, other: string): string {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (words.length !== others.length) return one;
  return words
    .map((word, at) => (word === others[at] ? word : '…'))
    .join('')
    .replaceAll(/…+/g, '…');
}

/** Words and spaces; Chinese has no spaces, so each of its characters and marks is one. */
function wordsOf(text: string): string[] {
  return text.match(/ |[\p{Script=Han}，。：；“”、]|[^ \p{Script=Han}，。：；“”、]+/gu) ?? [];
}
