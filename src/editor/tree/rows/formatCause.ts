import type { QueryError, TrackedTask } from '../../../tasks/trackedTask';
import { formatEnd, formatFailure, formatRefusal } from '../../platform/formatOutcome';

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
    case 'unreadable':
      return [];
  }
}

/** The cause of a failed status check. */
export function queryErrorDetail(lastQueryError: QueryError): string {
  return lastQueryError.kind === 'rejected'
    ? formatRefusal(lastQueryError.refusal)
    : formatFailure(lastQueryError.failure);
}
