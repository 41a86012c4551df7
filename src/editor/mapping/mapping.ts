import type { Contract, StatusMeaning } from '../../service/contract/contract';
import { readContract, withOverride } from '../../service/contract/contractOverrides';
import type { Dataset } from '../../service/contract/dataset';
import type { ResponseField } from '../../service/response/recognition';
import { isOf } from '../../tasks/destination';
import { rereadResponses, responseFor, tasksToRead } from '../../tasks/following/rereadResponses';
import type { TaskList } from '../../tasks/store/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import type { Datasets } from '../datasets/datasets';

/** Where a contract keeps the place of each field. */
const parts = {
  taskId: ['fileTask', 'taskId'],
  status: ['queryTask', 'status'],
  progress: ['queryTask', 'progress'],
  message: ['queryTask', 'message'],
} as const satisfies Record<ResponseField, readonly [string, string]>;

/** Whether a change that touches so many tasks of a dataset is wanted. */
export type ConfirmMapping = (tasks: number, dataset: Dataset) => Promise<boolean>;

/** How the responses of a dataset's service are read: saved with the dataset, and applied at once to its tasks. */
export class Mapping {
  readonly #datasets: Datasets;
  readonly #list: TaskList;
  readonly #confirm: ConfirmMapping;

  /** `confirm` asks a person before a change touches more than the task that it was chosen from. */
  constructor(datasets: Datasets, list: TaskList, confirm: ConfirmMapping = async () => true) {
    this.#datasets = datasets;
    this.#list = list;
    this.#confirm = confirm;
  }

  /** Where a person said that a field is; undefined where it is recognized by usual names. */
  pointer({ contract }: Dataset, field: ResponseField): string | undefined {
    return field === 'taskId' ? contract.fileTask.taskId : contract.queryTask[field];
  }

  /**
   * Says where a field is, or leaves it to be recognized where `pointer` is undefined. `chosenFrom` is the key of the
   * task from whose response a person chose.
   */
  setPointer(dataset: Dataset, field: ResponseField, pointer: string | undefined, chosenFrom?: number): Promise<void> {
    return this.#change(dataset, parts[field], pointer, chosenFrom);
  }

  /** Says what a status means, or leaves it to the usual words where `meaning` is undefined; `chosenFrom` as above. */
  setMeaning(
    dataset: Dataset,
    status: string,
    meaning: Exclude<StatusMeaning, 'unknown'> | undefined,
    chosenFrom?: number,
  ): Promise<void> {
    return this.#change(dataset, ['queryTask', 'statusMeanings', status], meaning, chosenFrom);
  }

  /** What a person said of statuses. */
  meanings({ contract }: Dataset): Contract['queryTask']['statusMeanings'] {
    return contract.queryTask.statusMeanings;
  }

  /** The latest response of the dataset's service in which a field can be looked for: file-task's for the id, else query-task's. */
  latestResponse(dataset: Dataset, field: ResponseField): { task: TrackedTask; response: string } | undefined {
    for (const task of this.#list.tasks) {
      const response = isOf(task, dataset) ? responseFor(field, task) : undefined;
      if (response !== undefined) return { task, response };
    }
    return undefined;
  }

  async #change(dataset: Dataset, at: readonly string[], value: unknown, chosenFrom?: number): Promise<void> {
    await this.#list.loaded();
    const before = (this.#datasets.find(dataset.name) ?? dataset).contract;
    const { contract: after } = readContract(withOverride(this.#datasets.overrides(dataset), at, value));
    const touched = await tasksToRead(this.#list, { dataset, before, after, chosenFrom });
    const touchesMore = touched.length > 1 || touched.some((key) => chosenFrom !== undefined && key !== chosenFrom);
    if (touchesMore && !(await this.#confirm(touched.length, dataset))) return;
    const changed = await this.#datasets.override(dataset, at, value);
    await rereadResponses(this.#list, { dataset: changed, before, after: changed.contract, chosenFrom });
  }
}
