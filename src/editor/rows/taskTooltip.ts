import * as vscode from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { StateByRules } from '../../service/response/stateByRules';
import type { Following } from '../../tasks/following/follower';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import { asSingle, partsOf } from '../../tasks/severalTasks';
import { isOpen, type TrackedTask, taskState, wasAcceptedEarly } from '../../tasks/trackedTask';
import { formatRule } from '../platform/formatField';
import { formatCount, formatDateTime, formatPercent, formatSize } from '../platform/formatNumbers';
import { formatAttempt, formatEarly, formatEnd, formatFailure, formatRefusal } from '../platform/formatOutcome';
import { plainMarkdown, shortText } from '../platform/outsideText';
import { queryErrorDetail } from './formatCause';
import { formatNextCheck, formatSlowed } from './formatNextCheck';
import { formatParts } from './formatParts';
import { formatState } from './formatState';
import { taskLabel } from './taskItem';
import { commandId, helpLink, neededCommands } from './taskNeeds';

/** Max tasks of one file listed in the tooltip. */
const SHOWN_PARTS = 20;

/** Max attempts listed in the tooltip; the last ones are listed. */
const SHOWN_ATTEMPTS = 5;

/** The details of a task, and links to what it needs; `following` says when it is checked next. Outside text is escaped. */
export function taskTooltip(task: TrackedTask, why?: WhyWaits, following?: Following): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  const line = (name: string, value: string) => {
    tooltip.appendMarkdown(`  \n**${name}:** ${plainMarkdown(value)}`);
  };
  tooltip.appendMarkdown(`**${plainMarkdown(taskLabel(task))}**\n\n`);
  line(vscode.l10n.t('State'), formatState(taskState(task), task));
  line(vscode.l10n.t('Dataset'), task.dataset);
  const parts = partLines(task);
  for (const [name, value] of parts) line(name, value);
  if (task.taskId !== undefined && parts.length === 0)
    line(vscode.l10n.t('Task ID'), shortText(taskIdText(task.taskId)));
  for (const [name, value] of [...phaseLines(task), ...attemptLines(task)]) line(name, value);
  if (task.lastQueryError !== undefined)
    line(vscode.l10n.t('Last status check'), queryErrorDetail(task.lastQueryError));
  if (task.source !== undefined) {
    line(vscode.l10n.t('Size'), formatSize(task.source.sizeBytes));
    line(vscode.l10n.t('File'), task.source.path);
  }
  line(vscode.l10n.t('Added'), formatDateTime(task.createdMs));
  if (task.checkedMs !== undefined && task.hasLastResponse)
    line(vscode.l10n.t('Last change seen'), formatDateTime(task.checkedMs));
  if (following !== undefined) line(vscode.l10n.t('Status check'), formatNextCheck(following));
  const isSlowed = following?.by === 'thisWindow' && following.isSlowed;
  for (const note of formatSlowed(isSlowed, task.dataset)) line(vscode.l10n.t('Note'), note);
  const needed = neededCommands(task, why);
  if (needed.length > 0) {
    tooltip.appendMarkdown(`\n\n${needed.map((command) => helpLink(command, task.key)).join(' · ')}`);
    tooltip.isTrusted = { enabledCommands: needed.map(commandId) };
  }
  return tooltip;
}

type Line = [name: string, value: string];

function phaseLines(task: TrackedTask): Line[] {
  const { phase } = task;
  switch (phase.kind) {
    case 'queued':
    case 'sending':
    case 'unreadable':
      return [];
    case 'notSent':
      return [[vscode.l10n.t('Cause'), formatFailure(phase.failure)]];
    case 'rejected':
      return [[vscode.l10n.t('Response'), formatRefusal(phase.refusal)]];
    case 'unconfirmed':
      return [
        [vscode.l10n.t('Cause'), formatEnd(phase)],
        [
          vscode.l10n.t('Note'),
          vscode.l10n.t('The service may have received the file. Importing it again may create a duplicate.'),
        ],
      ];
    case 'accepted': {
      const { status, progress, message, byRules } = phase.report ?? {};
      const lines: Line[] = [];
      if (byRules !== undefined) lines.push([vscode.l10n.t('Rule'), formatHeldRule(byRules)]);
      if (status !== undefined) lines.push([vscode.l10n.t('Status'), shortText(status)]);
      if (progress !== undefined) lines.push([vscode.l10n.t('Progress'), formatPercent(progress)]);
      if (message !== undefined) lines.push([vscode.l10n.t('Message'), shortText(message)]);
      if (wasAcceptedEarly(task)) lines.push([vscode.l10n.t('Note'), formatEarly()]);
      return lines;
    }
  }
}

/** The rule that decided the state. */
export function formatHeldRule({ held }: StateByRules): string {
  return held === undefined ? vscode.l10n.t('No rule applies, so the task is running') : formatRule(held);
}

/** Each of several tasks with its state. */
function partLines(task: TrackedTask): Line[] {
  const parts = partsOf(task);
  if (parts === undefined) return [];
  const lines = parts.slice(0, SHOWN_PARTS).map(({ taskId }, index): Line => {
    const one = asSingle(task, taskId);
    const { phase, lastQueryError } = one;
    const report = phase.kind === 'accepted' ? phase.report : undefined;
    const details = [
      shortText(taskIdText(taskId)),
      formatState(taskState(one), one),
      ...(report?.message === undefined ? [] : [shortText(report.message)]),
      ...(lastQueryError === undefined ? [] : [queryErrorDetail(lastQueryError)]),
    ];
    return [vscode.l10n.t('Task {0} of {1}', index + 1, parts.length), details.join(' · ')];
  });
  const more = parts.length - lines.length;
  return [
    [vscode.l10n.t('Tasks'), formatParts(task).join()],
    ...lines,
    ...(more > 0 ? [[vscode.l10n.t('Note'), formatMore(more)] as Line] : []),
  ];
}

function formatMore(more: number): string {
  return more === 1
    ? vscode.l10n.t('1 more task is not listed here.')
    : vscode.l10n.t('{0} more tasks are not listed here.', formatCount(more));
}

/** The attempts to send the file, except a single finished one: the other lines describe that. */
function attemptLines({ attempts, phase }: TrackedTask): Line[] {
  if (attempts.length < (isOpen(phase) ? 1 : 2)) return [];
  const last = attempts.slice(-SHOWN_ATTEMPTS);
  return last.map((attempt, index) => [
    vscode.l10n.t('Attempt {0}', attempts.length - last.length + index + 1),
    formatAttempt(attempt),
  ]);
}
