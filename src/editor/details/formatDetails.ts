import { l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { FieldSource } from '../../service/response/fields';
import { shownResponse } from '../../service/response/keptResponse';
import type { TimelineEntry } from '../../tasks/rows/timeline';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import { partsOf } from '../../tasks/severalTasks';
import type { Responses, TaskPart, TrackedTask } from '../../tasks/trackedTask';
import { formatFieldSource } from '../platform/formatField';
import { formatCount, formatDateTime, formatPercent, formatSize } from '../platform/formatNumbers';
import { oneLine, visibleText } from '../platform/outsideText';
import { formatFailedCheck } from '../taskItems/formatCause';
import { headerLines } from '../taskItems/formatHeader';
import { formatKnownState } from '../taskItems/formatState';
import { formatStatus, type Row, timelineRows, type UpcomingCheck } from './formatTimeline';

/** What is known of a task. */
export interface DetailsContent {
  readonly task: TrackedTask;
  readonly nowMs: number;
  /** Why its service cannot be asked. */
  readonly why?: WhyWaits | undefined;
  readonly timeline: readonly TimelineEntry[];
  readonly responses: Responses;
  /** When it is checked next; undefined where it is not, or not known. */
  readonly nextCheck?: UpcomingCheck | undefined;
}

/**
 * All that is known of a task: its state and the reason, what happened, what it is, and what the service said. What is
 * not a name, a state or a title is indented: media/details.tmLanguage.json and
 * folding go by that.
 */
export function formatDetails(details: DetailsContent): string {
  const { task, nowMs, why, timeline, responses, nextCheck } = details;
  const blocks = [
    headerLines(task, nowMs, why),
    section(l10n.t('Timeline'), alignedLines(timelineRows(task, timeline, nextCheck))),
    section(l10n.t('Task'), alignedLines(taskRows(task))),
    section(l10n.t('File'), alignedLines(fileRows(task))),
    ...responseSections(task, responses),
  ];
  const shown = blocks.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** A title with the lines below it; nothing where there are none. */
export function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

/** Rows as lines, their texts one below the other. */
function alignedLines(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([label]) => columnsOf(label)));
  return rows.map(([label, text]) => `${label}${' '.repeat(width - columnsOf(label))}  ${oneLine(text)}`.trimEnd());
}

/** The width of a text in an editor, in which Chinese characters and marks take two columns. */
function columnsOf(text: string): number {
  return text.length + (text.match(/[\p{Script=Han}，。：；（）]/gu)?.length ?? 0);
}

/** What the service calls the task or tasks, what it reports of them, and where that was read. */
function taskRows(task: TrackedTask): Row[] {
  const { taskId, taskIdFrom, phase, dataset } = task;
  const { status, progress, message, byExpression, from } =
    (phase.kind === 'accepted' ? phase.report : undefined) ?? {};
  const parts = partsOf(task);
  const progressRow = row(
    l10n.t('Progress'),
    progress === undefined ? undefined : formatPercent(progress),
    from?.progress,
  );
  if (parts !== undefined) return [[l10n.t('Dataset'), dataset], ...parts.map(partRow), ...progressRow];
  return [
    [l10n.t('Dataset'), dataset],
    ...row(l10n.t('Task ID'), taskId && taskIdText(taskId), taskIdFrom),
    ...earlierRow(task),
    ...row(l10n.t('State expression'), byExpression),
    ...row(l10n.t('Status'), status, from?.status),
    ...progressRow,
    ...row(l10n.t('Message'), message, from?.message),
  ];
}

/** One of several tasks. */
function partRow({ taskId, report, queryError }: TaskPart, index: number, { length }: readonly TaskPart[]): Row {
  const state = report === undefined ? formatKnownState('waiting') : formatStatus(report);
  const reason = queryError === undefined ? report?.message : formatFailedCheck(queryError);
  const texts = [taskIdText(taskId), state, ...(reason === undefined ? [] : [reason])];
  return [l10n.t('Task {0} of {1}', index + 1, length), texts.join(' · ')];
}

/** Nothing where there is no text. */
function row(label: string, text: string | undefined, source?: FieldSource): Row[] {
  if (text === undefined) return [];
  return [[label, source === undefined ? text : l10n.t('{0} ({1})', text, formatFieldSource(source))]];
}

/** The import before the newest one that got in. */
function earlierRow({ earlier }: TrackedTask): Row[] {
  if (earlier === undefined) return [];
  const time = formatDateTime(earlier.atMs);
  const text = earlier.taskId === undefined ? time : `${taskIdText(earlier.taskId)} · ${time}`;
  return [[l10n.t('Earlier import'), text]];
}

function fileRows({ source }: TrackedTask): Row[] {
  if (source === undefined) return [];
  const { path, sizeBytes, sha256 } = source;
  const size = formatSize(sizeBytes);
  return [
    [l10n.t('Path'), path],
    [l10n.t('Size'), sizeBytes < 1024 ? size : l10n.t('{0} ({1} bytes)', size, formatCount(sizeBytes))],
    ...row(l10n.t('SHA-256'), sha256),
  ];
}

/** The response to the import, and the last one about the task. */
function responseSections({ phase }: TrackedTask, { importResponse, lastResponse }: Responses) {
  const isOfCheck = phase.kind === 'accepted' && importResponse !== lastResponse;
  const toImport = importResponse ?? (isOfCheck ? undefined : lastResponse);
  const last = lastResponse === toImport ? undefined : lastResponse;
  return [
    responseSection(l10n.t('Response to the Import'), toImport),
    responseSection(isOfCheck ? l10n.t('Response to the Status Check') : l10n.t('Last Response'), last),
  ];
}

function responseSection(title: string, response: string | undefined): readonly string[] {
  return response === undefined ? [] : section(title, visibleText(shownResponse(response)).split('\n'));
}
