import { env, l10n } from 'vscode';
import { parseJson, stringifyJson } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import type { FieldSource } from '../../service/response/recognition';
import type { TimelineEntry } from '../../tasks/rows/timeline';
import { asSingle, partsOf } from '../../tasks/severalTasks';
import { hasEnded, type Responses, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatFieldSource } from '../platform/formatField';
import { formatSize } from '../platform/formatNumbers';
import { formatAttempt, formatEnd, formatFailure, formatRefusal } from '../platform/formatOutcome';
import { oneLine, visibleText } from '../platform/outsideText';
import { formatState } from '../tree/formatState';
import { percent, queryErrorDetail, taskLabel } from '../tree/taskItem';

/** What is known of a task. */
export interface TaskDetails {
  readonly task: TrackedTask;
  readonly timeline: readonly TimelineEntry[];
  readonly responses: Responses;
  /** When it is checked next, as a sentence; undefined where it is not, or not known. */
  readonly nextCheck: string | undefined;
}

/** All that is known of a task, as Markdown: what happened first, then what it is, then what the service said. */
export function formatDetails({ task, timeline, responses, nextCheck }: TaskDetails): string {
  const { importResponse, lastResponse } = responses;
  const sections = [
    [`# ${oneLine(taskLabel(task))}`, `${oneLine(formatState(taskState(task), task))} · ${oneLine(task.dataset)}`],
    section(l10n.t('Timeline'), [...timelineLines(task, timeline), ...(nextCheck === undefined ? [] : [nextCheck])]),
    section(l10n.t('Task'), taskLines(task)),
    section(l10n.t('File'), fileLines(task)),
    ...(importResponse === undefined ? [] : [[`## ${l10n.t('Response to the Import')}`, fenced(importResponse)]]),
    ...(lastResponse === undefined || lastResponse === importResponse
      ? []
      : [[`## ${l10n.t('Last Response')}`, fenced(lastResponse)]]),
  ];
  return `${sections
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n\n'))
    .join('\n\n')}\n`;
}

/** A heading with a list; nothing where the list is empty. */
function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${oneLine(line)}`).join('\n')];
}

/** In the order in which they happened; of equal times the tries come after what began them. */
function timelineLines(task: TrackedTask, timeline: readonly TimelineEntry[]): string[] {
  const events = timeline.flatMap((entry) => {
    const text = formatEvent(entry);
    return text === undefined ? [] : [{ atMs: entry.atMs, text }];
  });
  const tries = task.attempts.map((attempt, index) => ({
    atMs: attempt.endedMs,
    text: l10n.t('Try {0}: {1}', index + 1, formatAttempt(attempt)),
  }));
  return [...events, ...tries]
    .sort((one, other) => one.atMs - other.atMs)
    .map(({ atMs, text }) => `${formatTime(atMs)}  ${text}`);
}

/** Undefined for the end of a try, which is listed as such. */
function formatEvent(entry: TimelineEntry): string | undefined {
  switch (entry.kind) {
    case 'queued':
      return l10n.t('Queued');
    case 'sending':
      return l10n.t('Sending');
    case 'accepted':
      return l10n.t('Accepted');
    case 'taskId':
      return l10n.t('Task ID {0}', taskIdText(entry.taskId));
    case 'status':
      return formatStatus(entry);
    case 'queryError': {
      const { error } = entry;
      const cause = error.kind === 'rejected' ? formatRefusal(error.refusal) : formatFailure(error.failure);
      return l10n.t('Status check failed: {0}', cause);
    }
    case 'notSent':
    case 'rejected':
    case 'unconfirmed':
    case 'unreadable':
      return undefined;
  }
}

function formatStatus({ status, meaning }: Extract<TimelineEntry, { readonly kind: 'status' }>): string {
  if (meaning === 'none') return l10n.t('Nothing reported yet');
  if (status === undefined) return formatTold(meaning);
  switch (meaning) {
    case 'running':
      return l10n.t("Running: status '{0}'", status);
    case 'succeeded':
      return l10n.t("Succeeded: status '{0}'", status);
    case 'failed':
      return l10n.t("Failed: status '{0}'", status);
    default:
      return l10n.t("Status '{0}'", status);
  }
}

function formatTold(meaning: string): string {
  switch (meaning) {
    case 'running':
      return l10n.t('Running');
    case 'succeeded':
      return l10n.t('Succeeded');
    case 'failed':
      return l10n.t('Failed');
    default:
      return l10n.t('Status not recognized');
  }
}

/** What the service calls the task or tasks, what it reports of them, and where that was read. */
function taskLines(task: TrackedTask): string[] {
  const { taskId, taskIdFrom, phase, lastQueryError } = task;
  const parts = partsOf(task) ?? [];
  const report = phase.kind === 'accepted' ? phase.report : undefined;
  const from = report?.from ?? {};
  return [
    ...(taskId === undefined || parts.length > 0
      ? []
      : [withPlace(l10n.t('Task ID: {0}', taskIdText(taskId)), taskIdFrom)]),
    ...parts.map(({ taskId: id }, index) => {
      const one = asSingle(task, id);
      const state = formatState(taskState(one), one);
      return l10n.t('Task {0} of {1}: {2}, {3}', index + 1, parts.length, taskIdText(id), state);
    }),
    ...(report?.status === undefined ? [] : [withPlace(l10n.t('Status: {0}', report.status), from.status)]),
    ...(report?.progress === undefined
      ? []
      : [withPlace(l10n.t('Progress: {0}', percent(report.progress)), from.progress)]),
    ...(report?.message === undefined ? [] : [withPlace(l10n.t('Message: {0}', report.message), from.message)]),
    ...(hasEnded(phase) && phase.kind !== 'accepted' ? [l10n.t('Reason: {0}', formatEnd(phase))] : []),
    ...(lastQueryError === undefined ? [] : [l10n.t('Last status check: {0}', queryErrorDetail(lastQueryError))]),
  ];
}

function withPlace(text: string, source: FieldSource | undefined): string {
  return source === undefined ? text : l10n.t('{0} ({1})', text, formatFieldSource(source));
}

function fileLines({ source }: TrackedTask): string[] {
  if (source === undefined) return [];
  const { path, sizeBytes, sha256 } = source;
  return [
    path,
    sizeBytes < 1024
      ? formatSize(sizeBytes)
      : l10n.t('{0} ({1} bytes)', formatSize(sizeBytes), sizeBytes.toLocaleString(env.language)),
    ...(sha256 === undefined ? [] : [l10n.t('SHA-256 {0}', sha256)]),
  ];
}

/** In a block that no text inside can end. */
function fenced(response: string): string {
  const text = visibleText(stringifyJson(parseJson(response), 2));
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${text}\n${fence}`;
}

function formatTime(atMs: number): string {
  return new Date(atMs).toLocaleString(env.language);
}
