import { l10n } from 'vscode';
import type { KnownMeaning } from '../../service/contract/contract';
import { readContract, withOverride } from '../../service/contract/contractOverrides';
import type { Dataset } from '../../service/contract/dataset';
import { isObject } from '../../service/contract/settingSchema';
import { type Json, stringifyJson } from '../../service/json/json';
import type { ResponseField } from '../../service/response/fields';
import { isOf } from '../../tasks/destination';
import { hasResponseFor, responseData, responseFor } from '../../tasks/following/keptResponses';
import { rereadResponses, tasksToRead } from '../../tasks/following/rereadResponses';
import { newestFirst, newestTasks, partsOfList } from '../../tasks/history/walk';
import type { TaskList } from '../../tasks/store/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import { formatCount } from '../platform/formatNumbers';
import { window } from '../platform/window';
import type { Datasets } from '../datasets/datasets';
import type { Services } from '../services';

/** The keys of each field's pointer in a contract. */
const pointerKeys = {
  taskId: ['fileTask', 'taskId'],
  status: ['queryTask', 'status'],
  progress: ['queryTask', 'progress'],
  message: ['queryTask', 'message'],
} as const satisfies Record<ResponseField, readonly [string, string]>;

/** Max tasks of a dataset by which its statuses are known, beside the unfinished ones. */
const MAX_SEEN = 1000;

/** Max tasks whose responses are read for distinct results, how many at once, and max results. */
const MAX_READ = 200;
const READ_AT_ONCE = 10;
const MAX_DISTINCT = 6;

/** A response that may hold a field, and the task that it is about. */
export interface FieldResponse {
  readonly task: TrackedTask;
  readonly response: string;
}

/** How many tasks of a dataset a change touches, and how many of them have finished and get another result. */
export interface TouchedTasks {
  readonly tasks: number;
  readonly ended: number;
}

/** What the commands and questions work with that map responses. */
export interface MappingServices extends Services {
  readonly mapping: Mapping;
}

/** Asks whether to change how tasks of a dataset ended. */
type ConfirmMapping = (touched: TouchedTasks, dataset: Dataset) => Promise<boolean>;

/** Where the fields are in a dataset's responses and what its statuses mean. A change is saved and applied to its tasks. */
export class Mapping {
  readonly #datasets: Datasets;
  readonly #list: TaskList;
  readonly #confirm: ConfirmMapping;

  /** `confirm` is called before a change alters how other tasks ended than the one that it was chosen from. */
  constructor(datasets: Datasets, list: TaskList, confirm: ConfirmMapping = async () => true) {
    this.#datasets = datasets;
    this.#list = list;
    this.#confirm = confirm;
  }

  /** The chosen place of a field; undefined where the field is recognized automatically. */
  pointer({ contract }: Dataset, field: ResponseField): string | undefined {
    return field === 'taskId' ? contract.fileTask.taskId : contract.queryTask[field];
  }

  /** An undefined pointer resets the field. `chosenFrom` is the key of the task whose response the user chose from. */
  setPointer(dataset: Dataset, field: ResponseField, pointer: string | undefined, chosenFrom?: number): Promise<void> {
    return this.#change(dataset, pointerKeys[field], pointer, chosenFrom);
  }

  /** Sets what these statuses mean, undefined resets one; all others stay as they are. */
  setMeanings(dataset: Dataset, changed: ReadonlyMap<string, KnownMeaning | undefined>): Promise<void> {
    const path = ['queryTask', 'statusMeanings'];
    const overrides = [...changed].reduce<unknown>(
      (all, [status, meaning]) => withOverride(all, [...path, status], meaning),
      this.#datasets.overrides(dataset),
    );
    const meanings = path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), overrides);
    return this.#change(dataset, path, meanings);
  }

  /** An undefined expression lets the status decide. */
  setState(dataset: Dataset, expression: string | undefined): Promise<void> {
    return this.#change(dataset, ['queryTask', 'state'], expression);
  }

  /** A stored response of each distinct result that was reported lately, the newest first. */
  async distinctReports(dataset: Dataset): Promise<readonly FieldResponse[]> {
    const { history } = this.#list;
    const reports = new Map<string, FieldResponse>();
    const latest = await newestTasks(
      history,
      (task) => isOf(task, dataset) && hasResponseFor('status', task),
      MAX_READ,
    );
    for (const some of partsOfList(latest, READ_AT_ONCE)) {
      for (const { task, responses } of await history.withResponses(some)) {
        const response = responseFor('status', task, responses);
        const data = response === undefined ? undefined : responseData(response);
        if (response !== undefined && data !== undefined) reports.set(resultIn(data), { task, response });
      }
      if (reports.size >= MAX_DISTINCT) break;
    }
    return [...reports.values()].slice(0, MAX_DISTINCT);
  }

  /** The response of a task in which a field is looked for: file-task's for the task ID, else query-task's. */
  async responseOf(field: ResponseField, task: TrackedTask): Promise<string | undefined> {
    return responseFor(field, task, await this.#list.history.responses(task.key));
  }

  /** The response of `task` that may contain a field; without one, the latest of the dataset. */
  async responseWith(dataset: Dataset, field: ResponseField, task?: TrackedTask): Promise<FieldResponse | undefined> {
    const own = task && (await this.responseOf(field, task));
    if (task !== undefined && own !== undefined) return { task, response: own };
    for await (const tasks of newestFirst(this.#list.history, dataset.name)) {
      for (const latest of tasks) {
        if (!isOf(latest, dataset) || !hasResponseFor(field, latest)) continue;
        const response = await this.responseOf(field, latest);
        if (response !== undefined) return { task: latest, response };
      }
    }
    return undefined;
  }

  /** The tasks of a dataset by which its statuses are known: the latest ones, and all that are unfinished. */
  async tasksSeen(dataset: Dataset): Promise<readonly TrackedTask[]> {
    const latest = await newestTasks(this.#list.history, (task) => isOf(task, dataset), MAX_SEEN);
    const known = new Set(latest.map(({ key }) => key));
    return [...latest, ...this.#list.unfinished.filter((task) => isOf(task, dataset) && !known.has(task.key))];
  }

  async #change(dataset: Dataset, at: readonly string[], value: unknown, chosenFrom?: number): Promise<void> {
    await this.#list.loaded();
    const before = (this.#datasets.find(dataset.name) ?? dataset).contract;
    const { contract: after } = readContract(withOverride(this.#datasets.overrides(dataset), at, value));
    const touched = await tasksToRead(this.#list, { dataset, before, after, chosenFrom });
    const ended = touched.filter(({ changesEnd }) => changesEnd);
    const changesOthers = ended.some(({ key }) => key !== chosenFrom);
    if (changesOthers && !(await this.#confirm({ tasks: touched.length, ended: ended.length }, dataset))) return;
    const changed = await this.#datasets.override(dataset, at, value);
    await rereadResponses(this.#list, { dataset: changed, before, after: changed.contract, chosenFrom });
  }
}

/** What a report has in common with others of the same result: IDs, times and counts differ. */
function resultIn(data: Json): string {
  return stringifyJson(data)
    .slice(0, 10_000)
    .replace(/"[^"]*\d[^"]*"/g, '"1"')
    .replace(/[1-9]\d*/g, '1');
}

/** Asks before a changed mapping alters how tasks ended. */
export function confirmMapping({ tasks, ended }: TouchedTasks, { name }: Dataset): Promise<boolean> {
  const question = l10n.t("Change how the responses of dataset '{0}' are read?", name);
  const detail = l10n.t(
    'Tasks: {0}. Already finished: {1}. This changes their results.',
    ...[formatCount(tasks), formatCount(ended)],
  );
  return window.confirm(question, detail, l10n.t('Apply'));
}
