import type { SeenStatuses, TaskReport } from './taskReport';

/** Max statuses kept of a task, and max characters of each: a longer text is none. */
const MAX_SEEN = 20;
const MAX_CHARACTERS = 200;

/** A report in the light of the one before it: whether it is the first of a failure, and with the statuses that were seen. */
export function reportAfter(before: TaskReport | undefined, report: TaskReport): TaskReport {
  const isUnverified = report.meaning === 'failed' && before?.meaning !== 'failed';
  const seen = seenAfter(before?.seen, report);
  return { ...report, ...(isUnverified && { isUnverified }), ...(seen && { seen }) };
}

function seenAfter(before: SeenStatuses | undefined, { status, from }: TaskReport): SeenStatuses | undefined {
  const at = from.status?.pointer;
  if (status === undefined || at === undefined || status.length > MAX_CHARACTERS) return before;
  const values = before?.at === at ? before.values : [];
  return { at, values: values.includes(status) ? values : [...values, status].slice(-MAX_SEEN) };
}
