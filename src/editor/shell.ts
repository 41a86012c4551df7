import { Disposable, l10n, type TreeView, window } from 'vscode';
import type { DatasetsRow } from './datasets/datasetsTree';
import { GeneratedDocuments } from './platform/documents';
import { CommandRegistry } from './start/commandRegistry';
import { LazyPanels } from './start/lazyPanels';
import { LazyTree } from './start/lazyTree';
import { BATCH_PAGE, DATASETS_VIEW, DROP_TYPES, TASKS_VIEW } from './start/views';
import type { TasksNode } from './tasksView/shownRows';

/** What package.json contributes, as far as the shell reads it. */
export interface Contributed {
  readonly commands: readonly { readonly command: string }[];
}

/** Everything that must be registered when a window starts. The engine fills it once it is loaded. */
export class Shell implements Disposable {
  readonly commands: CommandRegistry;
  readonly tasksTree: LazyTree<TasksNode>;
  readonly tasksView: TreeView<TasksNode>;
  readonly datasetsTree: LazyTree<DatasetsRow>;
  readonly #datasetsView: TreeView<DatasetsRow>;
  readonly batchPages: LazyPanels;
  readonly details: GeneratedDocuments;
  readonly previews: GeneratedDocuments;
  readonly #registrations: Disposable;
  #selected: readonly TasksNode[] = [];

  /** `load` must fill the shell. */
  constructor({ commands }: Contributed, load: () => Promise<unknown>) {
    this.commands = new CommandRegistry(
      commands.map(({ command }) => command),
      load,
      () => this.#selection,
    );
    this.tasksTree = new LazyTree(load, DROP_TYPES);
    this.tasksView = window.createTreeView(TASKS_VIEW, {
      treeDataProvider: this.tasksTree,
      dragAndDropController: this.tasksTree,
      canSelectMany: true,
    });
    this.datasetsTree = new LazyTree(load, DROP_TYPES);
    this.#datasetsView = window.createTreeView(DATASETS_VIEW, {
      treeDataProvider: this.datasetsTree,
      dragAndDropController: this.datasetsTree,
    });
    this.batchPages = new LazyPanels(BATCH_PAGE, load);
    this.details = new GeneratedDocuments('dataset-import-task', load, l10n.t('Task details cannot be edited.'));
    this.previews = new GeneratedDocuments('dataset-import-preview', load);
    this.#registrations = Disposable.from(
      this.tasksView.onDidChangeSelection(({ selection }) => {
        this.#selected = selection;
      }),
      ...[this.commands, this.tasksView, this.tasksTree, this.#datasetsView, this.datasetsTree, this.batchPages],
      ...[this.details, this.previews],
    );
  }

  dispose(): void {
    this.#registrations.dispose();
  }

  /**
   * The selected rows of the visible views, because an extension can't find out which view has the focus. While VS Code
   * redraws a view it reports no selection, so we use the last one.
   */
  get #selection(): readonly unknown[] {
    const { selection, visible } = this.tasksView;
    const tasks = selection.length > 0 ? selection : this.#selected;
    return [...(visible ? tasks : []), ...(this.#datasetsView.visible ? this.#datasetsView.selection : [])];
  }
}
