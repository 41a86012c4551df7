import { l10n } from 'vscode';

/** Sentences, one after the other: after a full-width mark there is no space. */
export function formatSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, next) => (/^$|[。？！]$/u.test(text) ? text + next : `${text} ${next}`), '');
}

/** Names, values or counts beside each other. */
export function formatList(parts: readonly string[]): string {
  return parts.length === 0 ? '' : parts.reduce((list, part) => l10n.t('{0}, {1}', list, part));
}
