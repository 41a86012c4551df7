import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { ResponseField } from '../../service/response/recognition';
import { isOf } from '../../tasks/destination';
import { responseFor } from '../../tasks/following/rereadResponses';
import type { TaskList } from '../../tasks/store/taskList';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { chooseDataset } from '../datasets/chooseDataset';
import { type DatasetDeps, datasetAt } from '../datasets/findDataset';
import { formatField, formatMeaning, formatPlace } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { type Action, UserError } from '../platform/userError';
import { window } from '../platform/window';
import { pickTask } from '../tree/pickTasks';
import { chooseField } from './chooseField';
import type { Mapping } from './mapping';

export interface MapDeps extends DatasetDeps {
  readonly list: TaskList;
  readonly mapping: Mapping;
}

type Choice = QuickPickItem & { choose?(): Promise<void> };

/** Shows where each field is in a dataset's responses and what its statuses mean, and lets the user change both. */
export async function mapResponses(deps: MapDeps, target: unknown): Promise<void> {
  const title = l10n.t('Map Answers');
  const dataset = await chooseDataset(deps, target, title);
  if (dataset === undefined) return;
  await deps.list.loaded();
  const fields = (['taskId', 'status', 'progress', 'message'] as const).map((field): Choice => {
    const pointer = deps.mapping.pointer(dataset, field);
    return {
      label: formatField(field),
      description: pointer === undefined ? l10n.t('recognised by usual names') : formatPlace(pointer),
      choose: () => chooseFromLatest(deps, dataset, field),
    };
  });
  const statuses = statusesOf(deps, dataset).map((status): Choice => {
    const meaning = deps.mapping.meanings(dataset)[status];
    return {
      label: l10n.t("'{0}' means", shortText(status)),
      description: meaning === undefined ? l10n.t('by usual words') : formatMeaning(meaning),
      choose: () => chooseMeaning(deps, dataset, status),
    };
  });
  const separator: Choice = { label: l10n.t('what a status means'), kind: QuickPickItemKind.Separator };
  const choices = statuses.length === 0 ? fields : [...fields, separator, ...statuses];
  const placeHolder = l10n.t("How the answers of dataset '{0}' are read", dataset.name);
  const picked = await window.showQuickPick<Choice>(choices, { title, placeHolder, ignoreFocusOut: true });
  await picked?.choose?.();
}

/** Lets the user choose a field's place in the response of a task. */
export async function chooseFieldOfTask(deps: MapDeps, field: ResponseField, target: unknown): Promise<void> {
  const task = await pickTask(deps.list, target, (task) => responseFor(field, task) !== undefined);
  if (task !== undefined) await chooseFieldIn(deps, field, task);
}

export function chooseFieldAction(deps: MapDeps, field: 'taskId' | 'status', key: number): Action {
  const label = field === 'taskId' ? l10n.t('Choose the Task ID…') : l10n.t('Choose the Status…');
  return { label, run: () => chooseFieldIn(deps, field, deps.list.get(key)) };
}

async function chooseFieldIn(deps: MapDeps, field: ResponseField, task: TrackedTask | undefined): Promise<void> {
  const response = task && responseFor(field, task);
  if (task !== undefined && response !== undefined)
    await chooseField(deps.mapping, datasetAt(deps, task), field, { task, response });
}

/** Lets the user choose what the status of a task means. */
export async function chooseMeaningOfStatus(deps: MapDeps, target: unknown): Promise<void> {
  const task = await pickTask(deps.list, target, (task) => statusOf(task) !== undefined);
  const status = task && statusOf(task);
  if (task !== undefined && status !== undefined) await chooseMeaning(deps, datasetAt(deps, task), status, task.key);
}

async function chooseMeaning(
  { mapping }: MapDeps,
  dataset: Dataset,
  status: string,
  chosenFrom?: number,
): Promise<void> {
  const now = mapping.meanings(dataset)[status];
  const meanings = (['running', 'succeeded', 'failed'] as const).map((meaning) => ({
    label: formatMeaning(meaning),
    description: meaning === now ? l10n.t('now') : '',
    meaning,
  }));
  const forget = { label: l10n.t('Forget'), iconPath: new ThemeIcon('discard'), description: '', meaning: undefined };
  const title = l10n.t("What does '{0}' mean?", shortText(status));
  const placeHolder = l10n.t("It holds for every task of dataset '{0}'.", dataset.name);
  const choices = now === undefined ? meanings : [...meanings, forget];
  const picked = await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
  if (picked !== undefined) await mapping.setMeaning(dataset, status, picked.meaning, chosenFrom);
}

async function chooseFromLatest({ mapping }: MapDeps, dataset: Dataset, field: ResponseField): Promise<void> {
  const latest = mapping.latestResponse(dataset, field);
  if (latest !== undefined) return chooseField(mapping, dataset, field, latest);
  throw new UserError(
    field === 'taskId'
      ? l10n.t("There is no answer of dataset '{0}' yet. Import a file first.", dataset.name)
      : l10n.t(
          "Dataset '{0}' has not answered about a task yet. Import a file and refresh its task first.",
          dataset.name,
        ),
  );
}

/** The statuses that were seen or given a meaning, unknown ones first. */
function statusesOf({ list, mapping }: MapDeps, dataset: Dataset): string[] {
  const tasks = list.tasks.filter((task) => isOf(task, dataset));
  const unknown = tasks.filter((task) => taskState(task) === 'unknown').flatMap((task) => statusOf(task) ?? []);
  const seen = tasks.flatMap((task) => statusOf(task) ?? []);
  return [...new Set([...unknown, ...Object.keys(mapping.meanings(dataset)), ...seen])];
}

function statusOf({ phase }: TrackedTask): string | undefined {
  return phase.kind === 'accepted' ? phase.report?.status : undefined;
}
