import { l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { Details, ImportRow, Meaning, StoredEvent } from '../../tasks/store/model';
import { formatCount, formatDateTime, formatSize } from '../platform/formatNumbers';
import { formatCause } from '../wording/causes';
import { capitalized, formatMeaning, formatOutcome } from '../wording/states';

/** A label or a time, and a text. */
export type Line = readonly [label: string, text: string];

/** Everything that happened to a row: its imports, with who started each, and its tasks. */
export function timelineOf({ row, imports, events }: Details): Line[] {
  const entries = [
    ...imports.toReversed().flatMap((one, index) => importEntries(one, index > 0, events)),
    ...events.map(({ atMs, event }) => ({ atMs, text: formatEvent(event, imports) })),
    ...row.tasks.flatMap(({ meaning, cause, endedMs, checkedMs }) => [
      ...(cause === null ? [] : entryAt(checkedMs, l10n.t('Status check failed: {0}', formatCause(cause)))),
      ...(meaning === 'untracked' ? entryAt(endedMs, capitalized(formatMeaning(meaning))) : []),
    ]),
  ];
  // The sort is stable: of entries at the same time, an import's come in its own order, before events.
  return entries.sort((one, other) => one.atMs - other.atMs).map(({ atMs, text }) => [formatDateTime(atMs), text]);
}

interface Entry {
  readonly atMs: number;
  readonly text: string;
}

function entryAt(atMs: number | null, text: string): Entry[] {
  return atMs === null ? [] : [{ atMs, text }];
}

function importEntries(one: Details['imports'][number], isAgain: boolean, events: Details['events']): Entry[] {
  // A task that was created elsewhere.
  if (one.run === null) return [{ atMs: one.queuedMs, text: l10n.t('The task was added by its ID.') }];
  return [
    { atMs: one.queuedMs, text: formatQueued(one.runFiles, isAgain) },
    ...entryAt(one.beganMs, l10n.t('The upload started.')),
    ...entryAt(one.endedMs, formatEnded(one, events)),
  ];
}

/** Only the user starts an import: what is retried automatically is put back into the same one. */
function formatQueued(files: number, isAgain: boolean): string {
  if (files < 2) return isAgain ? l10n.t('Queued by Import Again.') : l10n.t('Queued.');
  return isAgain
    ? l10n.t('Queued by Import Again or Retry Failed. Files: {0}.', formatCount(files))
    : l10n.t('Queued. Files: {0}.', formatCount(files));
}

function formatEnded(one: ImportRow, events: Details['events']): string {
  const { outcome, cause, sentBytes, sizeBytes } = one;
  const resolved = events.find(({ event }) => 'import' in event && event.import === one.id && isResolution(event));
  if (resolved?.event.kind === 'marked') return capitalized(formatOutcome('unconfirmed'));
  if (resolved !== undefined) return l10n.t('The upload ended without a recognized task ID.');
  const notes = [
    ...(cause === null ? [] : [formatCause(cause, one)]),
    ...(outcome === 'accepted' && sentBytes < sizeBytes ? [formatEarly()] : []),
    ...(outcome === 'unconfirmed' && sentBytes < sizeBytes ? [formatSent(sentBytes, sizeBytes)] : []),
  ];
  return [capitalized(formatOutcome(outcome)), ...notes].join(' · ');
}

/** The user resolved an uncertain import, so that its outcome is no longer the one with which it ended. */
function isResolution({ kind }: StoredEvent): boolean {
  return kind === 'marked' || kind === 'attached';
}

function formatEvent(event: StoredEvent, imports: readonly ImportRow[]): string {
  switch (event.kind) {
    case 'putBack':
      return l10n.t('Put back, to be retried automatically: {0}', formatCause(event.answer));
    case 'lateResponse': {
      const outcome = imports.find(({ id }) => id === event.import)?.outcome ?? 'accepted';
      return l10n.t('The response arrived late: {0}', formatOutcome(outcome));
    }
    case 'status':
      return l10n.t('Status check: {0}', formatStatus(event.meaning, event.status));
    case 'attached':
      return l10n.t('Task ID attached: {0}', event.ids.map(taskIdText).join(', '));
    case 'marked':
      return capitalized(l10n.t('marked as uploaded'));
    case 'renamed':
      return l10n.t("Renamed. The file was called '{0}'.", event.from);
  }
}

/** The meaning of a status, and the status in the service's own words. */
export function formatStatus(meaning: Meaning, status: string | null): string {
  const words = formatMeaning(meaning);
  return status === null ? words : l10n.t("{0} ('{1}')", words, status);
}

/** How much of a request was sent. */
function formatSent(sentBytes: number, totalBytes: number): string {
  return sentBytes === totalBytes
    ? l10n.t('The whole request was sent.')
    : l10n.t('{0} of {1} of the request was sent.', formatSize(sentBytes), formatSize(totalBytes));
}

/** A note for an import that was accepted before the whole file was sent. */
function formatEarly(): string {
  return l10n.t('The service responded before the whole file was sent.');
}
