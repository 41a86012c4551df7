import { type Disposable, l10n } from 'vscode';
import type { ListChange, TaskList } from '../tasks/taskList';
import { type TrackedTask, taskState } from '../tasks/trackedTask';
import { chooseFactOfTask, type MapDeps } from './commands/mapAnswers';
import { meaningWords } from './factWords';
import type { LastAnswers } from './lastAnswers';
import type { Messages } from './messages';
import { taskLabel } from './taskItem';

/** What offering takes. */
export type OfferDeps = MapDeps & { readonly messages: Messages; readonly answers: LastAnswers };

/** Asks, once a window for each dataset, what a new status means, or where the status is. */
export class OfferMapping implements Disposable {
  readonly #deps: OfferDeps;
  readonly #list: TaskList;
  readonly #asked = new Set<string>();

  constructor(deps: OfferDeps) {
    this.#deps = deps;
    this.#list = deps.list;
    this.#list.events.on('change', this.#look);
  }

  dispose(): void {
    this.#list.events.off('change', this.#look);
  }

  readonly #look = (change: ListChange) => {
    for (const task of change.kind === 'tasks' ? change.tasks : []) {
      const { phase } = task;
      if (phase.kind !== 'accepted' || taskState(task) !== 'unknown') continue;
      const status = phase.report?.status;
      const about = JSON.stringify([task.dataset, status ?? null]);
      if (this.#asked.has(about)) continue;
      this.#asked.add(about);
      void (status === undefined ? this.#offerStatus(task) : this.#offerMeaning(task, status));
    }
  };

  #offerMeaning(task: TrackedTask, status: string): Promise<void> {
    const { datasets, mapping, messages } = this.#deps;
    const actions = (['running', 'succeeded', 'failed'] as const).map((meaning) => ({
      label: meaningWords(meaning),
      run: async () => {
        const dataset = datasets.find(task.dataset);
        if (dataset !== undefined) await mapping.setMeaning(dataset, status, meaning);
      },
    }));
    const words = l10n.t("'{0}' says '{1}' of '{2}'. What does it mean?", task.dataset, status, taskLabel(task));
    return messages.done(words, ...actions);
  }

  #offerStatus(task: TrackedTask): Promise<void> {
    const { messages, answers } = this.#deps;
    const choose = {
      label: l10n.t('Choose the Status…'),
      run: () => chooseFactOfTask(this.#deps, 'status', { taskKey: task.key }, undefined),
    };
    const show = { label: l10n.t('Show Answer'), run: () => answers.show(task.key) };
    return messages.done(l10n.t("No status was recognised in the answer about '{0}'.", taskLabel(task)), choose, show);
  }
}
