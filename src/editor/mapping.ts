import type { Contract, StatusMeaning } from '../service/contract';
import type { Dataset } from '../service/dataset';
import type { Fact } from '../service/recognition';
import { readAnswersAgain, reportAnswer } from '../tasks/readAnswersAgain';
import type { TaskList } from '../tasks/taskList';
import type { TrackedTask } from '../tasks/trackedTask';
import type { Datasets } from './datasets';

/** Where a contract keeps the place of each fact. */
const parts = {
  taskId: ['fileTask', 'taskId'],
  status: ['queryTask', 'status'],
  progress: ['queryTask', 'progress'],
  message: ['queryTask', 'message'],
} as const satisfies Record<Fact, readonly [string, string]>;

/** How the answers of a dataset's service are read: saved with the dataset, and applied at once to its tasks. */
export class Mapping {
  readonly #datasets: Datasets;
  readonly #list: TaskList;

  constructor(datasets: Datasets, list: TaskList) {
    this.#datasets = datasets;
    this.#list = list;
  }

  /** Where a person said that a fact is; undefined where it is recognised by usual names. */
  pointer({ contract }: Dataset, fact: Fact): string | undefined {
    return fact === 'taskId' ? contract.fileTask.taskId : contract.queryTask[fact];
  }

  /** Says where a fact is, or leaves it to be recognised where `pointer` is undefined. */
  setPointer(dataset: Dataset, fact: Fact, pointer: string | undefined): Promise<void> {
    return this.#change(dataset, parts[fact], pointer);
  }

  /** Says what a status means, or leaves it to the usual words where `meaning` is undefined. */
  setMeaning(dataset: Dataset, status: string, meaning: Exclude<StatusMeaning, 'unknown'> | undefined): Promise<void> {
    return this.#change(dataset, ['queryTask', 'statusMeanings', status], meaning);
  }

  /** What a person said of statuses. */
  meanings({ contract }: Dataset): Contract['queryTask']['statusMeanings'] {
    return contract.queryTask.statusMeanings;
  }

  /** The latest answer of the dataset's service in which a fact can be looked for: file-task's for the id, else query-task's. */
  latestAnswer({ name }: Dataset, fact: Fact): { task: TrackedTask; answer: string } | undefined {
    for (const task of this.#list.tasks) {
      const answer = task.dataset === name ? answerFor(fact, task) : undefined;
      if (answer !== undefined) return { task, answer };
    }
    return undefined;
  }

  async #change(dataset: Dataset, at: readonly string[], value: unknown): Promise<void> {
    const changed = await this.#datasets.override(dataset, at, value);
    await this.#list.loaded();
    await readAnswersAgain(this.#list, dataset.name, changed.contract);
  }
}

/** The answer about a task in which a fact can be looked for; undefined where there is none yet. */
export function answerFor(fact: Fact, task: TrackedTask): string | undefined {
  if (fact !== 'taskId') return reportAnswer(task);
  return task.phase.kind === 'accepted' ? task.importAnswer : undefined;
}
