import type { KnownMeaning } from '../contract/contract';
import { progressFraction } from './progress';
import { statusLooks } from './statusLooks';
import type { SeenStatuses, TaskReport } from './taskReport';

/** Max statuses kept of a task, and max characters of each: a longer text is none. */
const MAX_SEEN = 20;
const MAX_CHARACTERS = 200;

/** A report in the light of the one before it: whether it is the first of a failure, and with the statuses that were seen. */
export function reportAfter(
  before: TaskReport | undefined,
  report: TaskReport,
  statusMeanings: Readonly<Record<string, KnownMeaning>>,
): TaskReport {
  const isUnverified = report.meaning === 'failed' && before?.meaning !== 'failed';
  return withSeen(before, isUnverified ? { ...report, isUnverified } : report, statusMeanings);
}

/**
 * A report with the statuses that were seen. Where these behave like progress, the latest is the progress and no status,
 * unless a person chose their place or what any of them means.
 */
function withSeen(
  before: TaskReport | undefined,
  report: TaskReport,
  statusMeanings: Readonly<Record<string, KnownMeaning>>,
): TaskReport {
  const { status, from } = report;
  if (status === undefined || from.status === undefined || status.length > MAX_CHARACTERS)
    return before?.seen === undefined ? report : { ...report, seen: before.seen };
  const seen = withStatus(before?.seen, from.status.pointer, status);
  const isChosen = from.status.how === 'mapped' || Object.keys(statusMeanings).length > 0;
  const isProgress = !isChosen && report.meaning === 'unknown' && statusLooks(seen.values) === 'progress';
  const fraction = isProgress ? fractionOf(status) : undefined;
  if (fraction === undefined) return { ...report, seen };
  const { status: source, progress = source, ...others } = from;
  return {
    ...report,
    status: undefined,
    progress: report.progress ?? fraction,
    from: { ...others, progress },
    seen,
  };
}

/** A bare 1 among numbers that grow is one of percent. */
function fractionOf(status: string): number | undefined {
  return status === '1' ? 0.01 : progressFraction(status);
}

function withStatus(seen: SeenStatuses | undefined, at: string, status: string): SeenStatuses {
  const values = seen?.at === at ? seen.values : [];
  return { at, values: values.includes(status) ? values : [...values, status].slice(-MAX_SEEN) };
}
