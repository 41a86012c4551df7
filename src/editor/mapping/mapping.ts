import type { Contract, StatusMeaning } from '../../service/contract/contract';
import { readContract, withOverride } from '../../service/contract/contractOverrides';
import type { Dataset } from '../../service/contract/dataset';
import type { ResponseField } from '../../service/response/recognition';
import { isOf } from '../../tasks/destination';
import { rereadResponses, responseFor, tasksToRead } from '../../tasks/following/rereadResponses';
import type { TaskList } from '../../tasks/store/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import type { Datasets } from '../datasets/datasets';

/** The keys of each field's pointer in a contract. */
const pointerKeys = {
  taskId: ['fileTask', 'taskId'],
  status: ['queryTask', 'status'],
  progress: ['queryTask', 'progress'],
  message: ['queryTask', 'message'],
} as const satisfies Record<ResponseField, readonly [string, string]>;

/** Asks whether to change this number of a dataset's tasks. */
export type ConfirmMapping = (tasks: number, dataset: Dataset) => Promise<boolean>;

/** Where the fields are in a dataset's responses and what its statuses mean. A change is saved and applied to its tasks. */
export class Mapping {
  readonly #datasets: Datasets;
  readonly #list: TaskList;
  readonly #confirm: ConfirmMapping;

  /** `confirm` is called before a change is applied to other tasks than the one it was chosen from. */
  constructor(datasets: Datasets, list: TaskList, confirm: ConfirmMapping = async () => true) {
    this.#datasets = datasets;
    this.#list = list;
    this.#confirm = confirm;
  }

  /** The chosen place of a field; undefined where the field is recognized by usual names. */
  pointer({ contract }: Dataset, field: ResponseField): string | undefined {
    return field === 'taskId' ? contract.fileTask.taskId : contract.queryTask[field];
  }

  /** An undefined pointer resets the field. `chosenFrom` is the key of the task whose response the user chose from. */
  setPointer(dataset: Dataset, field: ResponseField, pointer: string | undefined, chosenFrom?: number): Promise<void> {
    return this.#change(dataset, pointerKeys[field], pointer, chosenFrom);
  }

  /** An undefined meaning resets the status. */
  setMeaning(
    dataset: Dataset,
    status: string,
    meaning: Exclude<StatusMeaning, 'unknown'> | undefined,
    chosenFrom?: number,
  ): Promise<void> {
    return this.#change(dataset, ['queryTask', 'statusMeanings', status], meaning, chosenFrom);
  }

  meanings({ contract }: Dataset): Contract['queryTask']['statusMeanings'] {
    return contract.queryTask.statusMeanings;
  }

  /** The latest response that may contain a field: of file-task for the task ID, else of query-task. */
  latestResponse(dataset: Dataset, field: ResponseField): { task: TrackedTask; response: string } | undefined {
    return this.latestResponses(dataset, field, 1)[0];
  }

  /** The latest of these responses, at most `count`. */
  latestResponses(
    dataset: Dataset,
    field: ResponseField,
    count: number,
  ): readonly { readonly task: TrackedTask; readonly response: string }[] {
    const found: { readonly task: TrackedTask; readonly response: string }[] = [];
    for (const task of this.#list.tasks) {
      const response = isOf(task, dataset) ? responseFor(field, task) : undefined;
      if (response !== undefined && found.push({ task, response }) === count) break;
    }
    return found;
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
