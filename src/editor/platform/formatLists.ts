import { l10n } from 'vscode';

/** Joins sentences. Adds a period to any part that doesn't end with a punctuation mark, such as a state. */
export function formatSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, next) => {
    // No space follows a full-width punctuation mark.
    if (/^$|[。？！]$/u.test(text)) return text + next;
    return /[.!?…]$/u.test(text) ? `${text} ${next}` : l10n.t('{0}. {1}', text, next);
  }, '');
}

/** Joins names, values or counts. */
export function formatList(parts: readonly string[]): string {
  return parts.length === 0 ? '' : parts.reduce((list, part) => l10n.t('{0}, {1}', list, part));
}
