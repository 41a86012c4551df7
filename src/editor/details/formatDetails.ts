import { l10n } from 'vscode';
import { parseJson, stringifyJson } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import type { FieldSource } from '../../service/response/recognition';
import type { TimelineEntry } from '../../tasks/rows/timeline';
import { asSingle, partsOf } from '../../tasks/severalTasks';
import { type Attempt, hasEnded, type Responses, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatFieldSource } from '../platform/formatField';
import { formatCount, formatDateTime, formatPercent, formatSize } from '../platform/formatNumbers';
import { formatEarly, formatEnd, formatFailure, formatRefusal, formatSent } from '../platform/formatOutcome';
import { oneLine, visibleText } from '../platform/outsideText';
import { formatState } from '../tree/rows/formatState';
import type { NextCommand } from '../tree/rows/nextCommands';
import { queryErrorDetail, taskLabel } from '../tree/rows/taskItem';
import { nextStepLines } from './nextSteps';

/** What is known of a task. */
export interface TaskDetails {
  readonly task: TrackedTask;
  readonly timeline: readonly TimelineEntry[];
  readonly responses: Responses;
  /** When it is checked next, as a sentence; undefined where it is not, or not known. */
  readonly nextCheck: string | undefined;
  readonly nextCommands: readonly NextCommand[];
}

/** All that is known of a task, as Markdown: what can be done, what happened, what it is, and what the service said. */
export function formatDetails({ task, timeline, responses, nextCheck, nextCommands }: TaskDetails): string {
  const { importResponse, lastResponse } = responses;
  const sections = [
    [`# ${oneLine(taskLabel(task))}`, `${oneLine(formatState(taskState(task), task))} · ${oneLine(task.dataset)}`],
    nextStepLines(nextCommands),
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

/** In the order in which they happened; of equal times the attempts come after what began them. */
function timelineLines(task: TrackedTask, timeline: readonly TimelineEntry[]): string[] {
  const events = timeline.flatMap((entry) => {
    const text = formatEvent(entry);
    return text === undefined ? [] : [{ atMs: entry.atMs, text }];
  });
  const attempts = task.attempts.map((attempt, index) => ({
    atMs: attempt.endedMs,
    text: formatAttempt(attempt, index + 1),
  }));
  return [...events, ...attempts]
    .sort((one, other) => one.atMs - other.atMs)
    .map(({ atMs, text }) => `${formatDateTime(atMs)}  ${text}`);
}

/** How an attempt to send the file ended. */
function formatAttempt({ end, sentBytes, totalBytes }: Attempt, number: number): string {
  switch (end.kind) {
    case 'accepted':
      return sentBytes < totalBytes
        ? l10n.t('Attempt {0} was accepted. {1}', number, formatEarly())
        : l10n.t('Attempt {0} was accepted.', number);
    case 'rejected':
      return l10n.t('Attempt {0} was rejected: {1}', number, formatRefusal(end.refusal));
    case 'notSent':
      return l10n.t('Attempt {0} was not uploaded. {1}', number, formatFailure(end.failure));
    case 'unconfirmed':
      return sentBytes < totalBytes
        ? l10n.t('Attempt {0} is unconfirmed. {1} {2}', number, formatEnd(end), formatSent(sentBytes, totalBytes))
        : l10n.t('Attempt {0} is unconfirmed. {1}', number, formatEnd(end));
  }
}

/** Undefined for the end of an attempt, which is listed as such. */
function formatEvent(entry: TimelineEntry): string | undefined {
  switch (entry.kind) {
    case 'queued':
      return l10n.t('The import was queued.');
    case 'sending':
      return l10n.t('The upload started.');
    case 'accepted':
      return l10n.t('The service accepted the import.');
    case 'taskId':
      return l10n.t('The service returned task ID {0}.', taskIdText(entry.taskId));
    case 'status':
      return formatStatus(entry);
    case 'queryError': {
      const { error } = entry;
      const cause = error.kind === 'rejected' ? formatRefusal(error.refusal) : formatFailure(error.failure);
      return l10n.t('A status check failed: {0}', cause);
    }
    case 'notSent':
    case 'rejected':
    case 'unconfirmed':
    case 'unreadable':
      return undefined;
  }
}

function formatStatus({ status, meaning }: Extract<TimelineEntry, { readonly kind: 'status' }>): string {
  if (meaning === 'none') return l10n.t('The service has not reported a status yet.');
  if (status === undefined) return formatTold(meaning);
  switch (meaning) {
    case 'running':
      return l10n.t("The task is running: status '{0}'.", status);
    case 'succeeded':
      return l10n.t("The task succeeded: status '{0}'.", status);
    case 'failed':
      return l10n.t("The task failed: status '{0}'.", status);
    default:
      return l10n.t("The service reported status '{0}'.", status);
  }
}

function formatTold(meaning: string): string {
  switch (meaning) {
    case 'running':
      return l10n.t('The task is running.');
    case 'succeeded':
      return l10n.t('The task succeeded.');
    case 'failed':
      return l10n.t('The task failed.');
    default:
      return l10n.t('The status was not recognized.');
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
      : [withPlace(l10n.t('Progress: {0}', formatPercent(report.progress)), from.progress)]),
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
    sizeBytes < 1024 ? formatSize(sizeBytes) : l10n.t('{0} ({1} bytes)', formatSize(sizeBytes), formatCount(sizeBytes)),
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
