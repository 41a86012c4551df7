import { l10n, window } from 'vscode';
import type { ImportQueue } from '../../tasks/importQueue';
import type { Sources } from '../../tasks/sources';
import type { TaskList } from '../../tasks/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import { type ChooseDeps, knownDataset, readyDestination } from '../chooseDataset';
import { pickTasks } from '../pickTasks';
import { taskLabel } from '../taskItem';
import { UserError } from '../userError';
import { failureWords } from '../words';

/** What sending an import again takes: its dataset may have no key any more, and its text may be gone. */
export interface RetryDeps extends ChooseDeps {
  readonly list: TaskList;
  readonly queue: ImportQueue;
  readonly sources: Sources;
}

/** Sends again what the service has certainly not taken. */
export async function retryImport(deps: RetryDeps, target: unknown, selected: unknown): Promise<void> {
  await retry(deps, await pickTasks(deps.list, target, selected, wasNotTaken));
}

/** Sends again, at the user's word, what the service may have taken. */
export async function retryAnyway(deps: RetryDeps, target: unknown, selected: unknown): Promise<void> {
  const tasks = await pickTasks(deps.list, target, selected, ({ phase }) => phase.kind === 'unconfirmed');
  const [first] = tasks;
  if (first === undefined) return;
  const question =
    tasks.length === 1
      ? l10n.t("Import '{0}' again? '{1}' may have taken it, and would have it twice.", taskLabel(first), first.dataset)
      : l10n.t('Import {0} files again? The service may have taken them, and would have them twice.', tasks.length);
  const detail = l10n.t('Where you can, look there first.');
  const again = l10n.t('Retry Anyway');
  const answer = await window.showWarningMessage(question, { modal: true, detail }, again);
  if (answer === again) await retry(deps, tasks);
}

/** Puts imports back into the queue. @throws UserError where none of them can be sent from here any more */
export async function retry(deps: RetryDeps, tasks: readonly TrackedTask[]): Promise<void> {
  for (const name of new Set(tasks.map(({ dataset }) => dataset))) {
    if ((await readyDestination(deps, knownDataset(deps, name))) === undefined) return;
  }
  const there = tasks.filter(({ key, source }) => source !== undefined && deps.sources.has(key, source));
  const [gone] = tasks.filter((task) => !there.includes(task));
  if (there.length > 0) await deps.queue.retry(there);
  if (gone === undefined) return;
  const why = failureWords({ name: 'TextGone', detail: '' });
  throw new UserError(l10n.t("'{0}' cannot be sent again from here. {1}", taskLabel(gone), why));
}

function wasNotTaken({ phase }: TrackedTask): boolean {
  return phase.kind === 'notSent' || phase.kind === 'rejected';
}
