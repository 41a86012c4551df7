import { l10n } from 'vscode';
import { destinationKey } from '../../tasks/destination';
import type { ImportQueue } from '../../tasks/queue/importQueue';
import type { Sources } from '../../tasks/sending/sources';
import type { TaskList } from '../../tasks/store/taskList';
import { hasFailed, type Phase, type TrackedTask, wasNotTaken } from '../../tasks/trackedTask';
import type { DatasetDeps } from '../datasets/findDataset';
import { reachableTasks } from '../following/reachableTasks';
import { formatFailure } from '../platform/formatOutcome';
import { type Action, UserError } from '../platform/userError';
import { window } from '../platform/window';
import { pickTasks } from '../tree/pickTasks';
import { taskLabel } from '../tree/taskItem';
import { confirmMoved } from './confirmMoved';

/** What sending an import again takes: its dataset may have no key any more, and its text may be gone. */
export interface RetryDeps extends DatasetDeps {
  readonly list: TaskList;
  readonly queue: ImportQueue;
  readonly sources: Sources;
}

/** Sends again what the service has certainly not taken. */
export async function retryImport(deps: RetryDeps, target: unknown, selected: unknown): Promise<void> {
  await retry(deps, await pickTasks(deps.list, target, selected, ({ phase }) => wasNotTaken(phase)));
}

/** Sends again, at the user's word, what the service may have received. */
export async function retryAnyway(deps: RetryDeps, target: unknown, selected: unknown): Promise<void> {
  await retryUnconfirmed(deps, await pickTasks(deps.list, target, selected, isUnconfirmed));
}

/** The button that asks whether to send an import again that the service may have received. */
export function retryAnywayAction(deps: RetryDeps, key: number): Action {
  const run = () => retryUnconfirmed(deps, [deps.list.get(key)].filter(isUnconfirmed));
  return { label: l10n.t('Retry Anyway…'), run };
}

async function retryUnconfirmed(deps: RetryDeps, tasks: readonly TrackedTask[]): Promise<void> {
  const [first] = tasks;
  if (first === undefined) return;
  const question =
    tasks.length === 1
      ? l10n.t("Import '{0}' again? '{1}' may have taken it, and would have it twice.", taskLabel(first), first.dataset)
      : l10n.t('Import {0} files again? The service may have taken them, and would have them twice.', tasks.length);
  const detail = l10n.t('Where you can, look there first.');
  const again = l10n.t('Retry Anyway');
  const response = await window.showWarningMessage(question, { modal: true, detail }, again);
  if (response === again) await retry(deps, tasks, hasFailed);
}

/**
 * Puts imports back into the queue that have not been taken, or whatever `maySend` allows, as they stand by then.
 * @throws UserError that tells of the first one that was not, where the user must know
 */
export async function retry(
  deps: RetryDeps,
  wanted: readonly TrackedTask[],
  maySend: (phase: Phase) => boolean = wasNotTaken,
): Promise<void> {
  const { tasks, firstError } = await reachableTasks(deps, await confirmMoved(deps, wanted));
  const there = tasks.filter(({ key, source }) => source !== undefined && deps.sources.has(key, source));
  const queued: TrackedTask[] = [];
  for (const group of Map.groupBy(there, destinationKey).values()) {
    const keys = group.map(({ key }) => key);
    queued.push(...(await deps.queue.retry(keys, maySend, group[0]?.origin)));
  }
  if (firstError !== undefined) throw firstError;
  const gone = tasks.find((task) => !there.includes(task));
  if (gone !== undefined) {
    const why = formatFailure({ name: 'TextGone', detail: '' });
    throw new UserError(l10n.t("'{0}' cannot be sent again from here. {1}", taskLabel(gone), why));
  }
  const unsure = there.find(({ key }) => deps.list.get(key)?.phase.kind === 'unconfirmed');
  if (unsure === undefined || queued.some(({ key }) => key === unsure.key)) return;
  throw new UserError(
    l10n.t("'{0}' was not sent again: by now '{1}' may have taken it.", taskLabel(unsure), unsure.dataset),
    [retryAnywayAction(deps, unsure.key)],
  );
}

function isUnconfirmed(task: TrackedTask | undefined): task is TrackedTask {
  return task?.phase.kind === 'unconfirmed';
}
