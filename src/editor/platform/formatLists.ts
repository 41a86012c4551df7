import { l10n } from 'vscode';

/** Joins sentences. After a full-width punctuation mark, there is no space. */
export function formatSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, next) => (/^$|[。？！]$/u.test(text) ? text + next : `${text} ${next}`), '');
}

/** Joins names, values or counts. */
export function formatList(parts: readonly string[]): string {
  return parts.length === 0 ? '' : parts.reduce((list, part) => l10n.t('{0}, {1}', list, part));
}
