import { l10n } from 'vscode';
import { type QueryError, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatEnd, formatFailure, formatRefusal } from '../platform/formatOutcome';
import { shortText } from '../platform/outsideText';

/** Why a task is in its state, in a few words; empty where there is no reason. */
export function formatCause(task: TrackedTask): string[] {
  const { phase } = task;
  if (phase.kind !== 'accepted') return formatImportCause(task);
  if (taskState(task) !== 'failed') return [];
  const { message } = phase.report ?? {};
  return [message === undefined ? l10n.t('no message recognized') : shortText(message)];
}

/** Why an import was not accepted, or not yet; empty where there is no reason. */
export function formatImportCause({ phase, attempts }: TrackedTask): string[] {
  switch (phase.kind) {
    case 'queued':
      return attempts.slice(-1).map(({ end }) => formatEnd(end));
    case 'notSent':
    case 'rejected':
    case 'unconfirmed':
      return [formatEnd(phase)];
    case 'accepted':
    case 'sending':
      return [];
  }
}

/** The cause of a failed status check. */
export function queryErrorDetail(lastQueryError: QueryError): string {
  return lastQueryError.kind === 'rejected'
    ? formatRefusal(lastQueryError.refusal)
    : formatFailure(lastQueryError.failure);
}

/** That a status check gave no report, and why. */
export function formatFailedCheck(error: QueryError): string {
  const detail = queryErrorDetail(error);
  return error.kind === 'rejected'
    ? l10n.t('Status check rejected: {0}', detail)
    : l10n.t('Status check failed: {0}', detail);
}
