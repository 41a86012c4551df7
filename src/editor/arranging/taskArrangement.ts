import { type Disposable, EventEmitter, type Memento } from 'vscode';
import type { GroupBy } from '../../tasks/history/groups';
import type { Arrangement } from '../../tasks/history/levels';
import type { TaskFilter } from '../../tasks/history/taskFilter';

const GROUP_BY = 'datasetImport.groupTasksBy';

/** How this window arranges the view Tasks. The grouping is the user's, in all windows; a filter ends with the window. */
export class TaskArrangement implements Disposable {
  readonly #memory: Memento;
  readonly #changed = new EventEmitter<Arrangement>();
  #current: Arrangement;
  readonly onDidChange = this.#changed.event;

  /** `memory` is that of the user. */
  constructor(memory: Memento) {
    this.#memory = memory;
    this.#current = { groupBy: memory.get<GroupBy>(GROUP_BY, 'batch'), filter: undefined };
  }

  get current(): Arrangement {
    return this.#current;
  }

  /** Shows only the tasks that fit; undefined shows all. */
  filterBy(filter: TaskFilter | undefined): void {
    this.#set({ ...this.#current, filter });
  }

  async groupTasksBy(groupBy: GroupBy): Promise<void> {
    this.#set({ ...this.#current, groupBy });
    await this.#memory.update(GROUP_BY, groupBy);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #set(arrangement: Arrangement): void {
    this.#current = arrangement;
    this.#changed.fire(arrangement);
  }
}
