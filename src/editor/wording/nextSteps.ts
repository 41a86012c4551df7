import { namesIn } from '../../service/request/namedParts';
import { type Cause, type FileRow, rejectionCode, type State, type StateCounts } from '../../tasks/store/model';
import { isPause, type WhyWaits } from './causes';
import { checkCause, countIn, isTracked } from './states';

/** Commands that can be the next step for a row, a batch or another group. */
export const NEXT_STEPS = [
  'cancelImport',
  'tryNow',
  'continueAnyway',
  'retryFailed',
  'importAgain',
  'refreshStatus',
  'attachTaskId',
  'markAsUploaded',
  'stopTracking',
  'mapResponses',
  'mapStatuses',
  'editRequest',
  'setAccessKey',
  'openSourceFile',
] as const;

export type NextStep = (typeof NEXT_STEPS)[number];

/** Files in these states are imported again by Retry Failed. */
export const RETRIED: readonly State[] = ['failed', 'rejected', 'notUploaded'];

/**
 * Commands that allow waiting uploads or status checks to continue, most helpful first. Empty if nothing is waiting or
 * if only a settings change would help.
 */
export function stepsToContinue(why: WhyWaits | undefined): readonly NextStep[] {
  switch (why?.reason) {
    case undefined:
    case 'removed':
    case 'faulty':
    case 'sandboxStopped':
      return [];
    case 'noKey':
      return ['setAccessKey'];
    case 'badKey':
      return ['setAccessKey', 'tryNow'];
    case 'rejections':
      return ['setAccessKey', 'editRequest', 'continueAnyway'];
    default:
      return ['tryNow'];
  }
}

/** Commands for a row, most helpful first. The first command can be the row's inline action. */
export function nextSteps(row: FileRow, why?: WhyWaits): readonly NextStep[] {
  const again = canImportAgain(row) ? (['importAgain'] as const) : [];
  const open = row.path === null ? [] : (['openSourceFile'] as const);
  const hasDataset = isUsable(why);
  const key = hasDataset && needsKey(row, why) ? (['setAccessKey'] as const) : [];
  // A code of the service may mean that the key is wrong.
  const mayBeKey = key.length === 0 && row.import.cause?.code !== undefined ? (['setAccessKey'] as const) : [];
  const isUndecided =
    isPause(why) && why.reason === 'rejections' && rejectionCode(why.cause) === rejectionCode(row.import.cause);
  const check = checkCause(row);
  const edit = check?.name === 'Rejected' && key.length === 0 ? (['editRequest'] as const) : [];
  const map = hasDataset ? (['mapResponses'] as const) : [];
  const track = ['refreshStatus', 'stopTracking'] as const;
  switch (row.state) {
    case 'queued':
      return [...stepsToContinue(why), 'cancelImport'];
    case 'sending':
      return ['cancelImport'];
    case 'notUploaded':
      return [...again, ...open];
    case 'failed': {
      const hasMessage = row.tasks.some(({ meaning, message }) => meaning === 'failed' && message !== null);
      return [...again, ...(hasMessage ? [] : map), ...open];
    }
    case 'rejected':
      if (isUndecided) return ['setAccessKey', 'editRequest', ...again, ...open];
      return hasDataset ? [...key, ...again, 'editRequest', ...mayBeKey, ...open] : [...again, ...open];
    case 'unconfirmed':
      return [...(row.import.cause?.name === 'RepeatedId' ? map : []), 'attachTaskId', 'markAsUploaded', ...again];
    case 'noId':
      return [...map, 'attachTaskId'];
    case 'unknown':
    case 'running':
    case 'waiting':
      if (!hasDataset) return ['stopTracking'];
      // The service has probably forgotten the task.
      if (check?.status === 404 || check?.status === 410) return [...track, ...edit];
      return [...key, ...edit, ...mapping(row), ...track];
    case 'succeeded':
    case 'uploaded':
    case 'untracked':
      return [...open, ...again];
  }
}

/** Like `nextSteps`, but prefers Edit Request… to Import Again if the service's message names a field. */
export function messageSteps(row: FileRow, why?: WhyWaits): readonly NextStep[] {
  const steps = nextSteps(row, why);
  const names = namesIn(row.import.cause?.message ?? '', [row.name, row.relativePath]);
  const [edit, again] = [steps.indexOf('editRequest'), steps.indexOf('importAgain')];
  if (names.length === 0 || again < 0 || edit < again) return steps;
  return steps.toSpliced(edit, 1).toSpliced(again, 0, 'editRequest');
}

/** If an expression in the dataset's settings determines the state, the row has no status to map. */
function mapping({ state, tasks }: FileRow): ('mapStatuses' | 'mapResponses')[] {
  if (state !== 'unknown') return [];
  const hasStatus = tasks.some(({ meaning, status }) => meaning === 'unknown' && status !== null);
  return hasStatus ? ['mapStatuses', 'mapResponses'] : ['mapResponses'];
}

/** Commands for a batch or other group, most helpful first. */
export function nextStepsOf(counts: StateCounts, why?: WhyWaits): readonly NextStep[] {
  return [
    ...(countIn(counts, ['queued']) > 0 ? stepsToContinue(why) : []),
    ...(countIn(counts, ['queued', 'sending']) > 0 ? (['cancelImport'] as const) : []),
    ...(countIn(counts, RETRIED) > 0 ? (['retryFailed'] as const) : []),
    ...(countIn(counts, ['unconfirmed']) > 0 ? (['importAgain'] as const) : []),
    ...(isUsable(why) && countIn(counts, ['unknown']) > 0 ? (['mapStatuses'] as const) : []),
    ...(isUsable(why) && countIn(counts, ['unknown', 'noId']) > 0 ? (['mapResponses'] as const) : []),
  ];
}

/** False if the dataset is missing or has faulty settings: mappings can't be saved and the service can't be queried. */
function isUsable(why: WhyWaits | undefined): boolean {
  return why === undefined || isPause(why) || why.reason === 'noKey';
}

/** Whether the row's latest import has ended and we have the file's path or a copy of its text. */
export function canImportAgain({ path, textFile, import: newest }: FileRow): boolean {
  return newest.outcome !== 'queued' && newest.outcome !== 'sending' && (path !== null || textFile !== null);
}

function needsKey(row: FileRow, why: WhyWaits | undefined): boolean {
  const steps = stepsToContinue(why);
  if (steps.includes('setAccessKey') && !steps.includes('continueAnyway')) return true;
  const causes = [row.import.cause, ...(isTracked(row) ? row.tasks.map(({ cause }) => cause) : [])];
  // The service may name the header.
  const isAboutKey = ({ status, message, blocked }: Cause) =>
    status === 401 || (status === 403 && !blocked) || /access[-_ ]?key/i.test(message ?? '');
  return causes.some((cause) => cause && isAboutKey(cause));
}
