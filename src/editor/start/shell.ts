import { Disposable, type TreeView, window } from 'vscode';
import type { DatasetsRow } from '../datasets/datasetsTree';
import { GeneratedDocuments } from '../platform/documents';
import type { TasksNode } from '../tree/tasksNode';
import { Commands } from './commands';
import { LazyTree } from './lazyTree';
import { DATASETS_VIEW, DROP_TYPES, TASKS_VIEW } from './views';

/** What VS Code must find registered from the start of a window on. The parts fill it once they are loaded. */
export class Shell implements Disposable {
  readonly commands: Commands;
  readonly tasksTree: LazyTree<TasksNode>;
  readonly tasksView: TreeView<TasksNode>;
  readonly datasetsTree: LazyTree<DatasetsRow>;
  readonly responses: GeneratedDocuments;
  readonly details: GeneratedDocuments;
  readonly previews: GeneratedDocuments;
  readonly sandboxRequests: GeneratedDocuments;
  readonly #registrations: Disposable;

  /** `load` fills it, before it resolves. */
  constructor(commandIds: readonly string[], load: () => Promise<unknown>) {
    this.commands = new Commands(commandIds, load);
    this.tasksTree = new LazyTree(load, DROP_TYPES);
    this.tasksView = window.createTreeView(TASKS_VIEW, {
      treeDataProvider: this.tasksTree,
      dragAndDropController: this.tasksTree,
      canSelectMany: true,
    });
    this.datasetsTree = new LazyTree(load);
    this.responses = new GeneratedDocuments('dataset-import-answer', load);
    this.details = new GeneratedDocuments('dataset-import-task', load);
    this.previews = new GeneratedDocuments('dataset-import-preview', load);
    this.sandboxRequests = new GeneratedDocuments('dataset-import-sandbox', load);
    this.#registrations = Disposable.from(
      ...[this.commands, this.tasksView, this.tasksTree, this.datasetsTree],
      window.registerTreeDataProvider(DATASETS_VIEW, this.datasetsTree),
      ...[this.responses, this.details, this.previews, this.sandboxRequests],
    );
  }

  dispose(): void {
    this.#registrations.dispose();
  }
}
