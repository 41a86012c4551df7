import { env, l10n } from 'vscode';

/** Formats a number with thousands separators, in VS Code's display language. */
export function formatCount(count: number): string {
  return count.toLocaleString(env.language);
}

/** Formats the local time of day. */
export function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(env.language);
}

/** Formats a size in powers of 1024, such as 1.5 MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', formatCount(bytes));
  const units = ['KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  const amount = bytes / 1024 ** power;
  const digits = amount < 10 ? 1 : 0;
  const shown = amount.toLocaleString(env.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${shown} ${units[power - 1]}`;
}

export function formatAge(thenMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - thenMs) / 1000));
  if (seconds < 60) return l10n.t('just now');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return l10n.t('{0} min ago', minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return l10n.t('{0} h ago', hours);
  const days = Math.floor(hours / 24);
  return days === 1 ? l10n.t('yesterday') : l10n.t('{0} days ago', days);
}

/** Formats how long a task has gone without progress, in hours or days. */
export function formatQuiet(sinceMs: number, nowMs: number): string {
  const hours = Math.floor((nowMs - sinceMs) / 3_600_000);
  return hours < 48
    ? l10n.t('no progress for {0} h', hours)
    : l10n.t('no progress for {0} days', Math.floor(hours / 24));
}

export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return l10n.t('{0} s', seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return l10n.t('{0} min {1} s', minutes, seconds % 60);
  return l10n.t('{0} h {1} min', formatCount(Math.floor(minutes / 60)), minutes % 60);
}

/** Formats the local date and time. */
export function formatDateTime(ms: number): string {
  return new Date(ms).toLocaleString(env.language);
}

/** Formats a fraction from 0 to 1 as a whole percentage, rounded down. */
export function formatPercent(fraction: number): string {
  // 0.29 * 100 is 28.999999999999996.
  const percent = Math.floor(Number((fraction * 100).toFixed(9)));
  return (percent / 100).toLocaleString(env.language, { style: 'percent' });
}

/**
 * Joins sentences. If a part, such as a state, doesn't end with a punctuation mark, inserts a period before the next
 * part.
 */
export function formatSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, next) => {
    // No space follows a full-width punctuation mark.
    if (/^$|[。？！]$/u.test(text)) return text + next;
    return /[.!?…]$/u.test(text) ? `${text} ${next}` : l10n.t('{0}. {1}', text, next);
  }, '');
}

/** Joins names, values or counts into a comma-separated list. */
export function formatList(parts: readonly string[]): string {
  return parts.length === 0 ? '' : parts.reduce((list, part) => l10n.t('{0}, {1}', list, part));
}

/** Compares names the way the Explorer does: s2 comes before s10. */
export const naturally = new Intl.Collator(undefined, { numeric: true });
