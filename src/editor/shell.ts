import { existsSync } from 'node:fs';
import { commands, Disposable, type ExtensionContext, type TreeView, window, workspace } from 'vscode';
import { storePath } from '../tasks/storePath';
import type { DatasetsRow } from './datasets/datasetsTree';
import type { Engine } from './engine';
import { LazyTree } from './lazyTree';
import { setContextKey } from './platform/contextKeys';
import { offeredExtensions, onSettingChange, sandboxStartsAutomatically } from './platform/settings';
import type { TasksNode } from './tasksView/shownRows';

/** The IDs of the views in package.json. */
export const TASKS_VIEW = 'datasetImport.tasks';
export const DATASETS_VIEW = 'datasetImport.datasets';

/** How often to look for a task database that another window may have created. */
const LOOK_MS = 1000;

/**
 * Creates a value only once, when it is first needed. A failure isn't retried, because some steps may already have run.
 */
export class Lazy<T> {
  /** The value, or undefined if it hasn't been needed yet. */
  made: Promise<T> | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  get(): Promise<T> {
    this.made ??= this.make();
    return this.made;
  }
}

/** Registers everything that a window needs when it starts. Returns the Tasks view. */
export function registerShell(context: ExtensionContext, engine: Lazy<Engine>): TreeView<TasksNode> {
  const tasksTree = new LazyTree<TasksNode>(async () => (await engine.get()).tasksTree);
  const datasetsTree = new LazyTree(async () => (await engine.get()).datasetsTree);
  const tasksView = window.createTreeView(TASKS_VIEW, { ...provider(tasksTree), canSelectMany: true });
  const datasetsView = window.createTreeView<DatasetsRow>(DATASETS_VIEW, provider(datasetsTree));
  const contributed: readonly { readonly command: string }[] = context.extension.packageJSON.contributes.commands;
  /** The view whose selection changed last comes first. */
  let selections: readonly { readonly view: TreeView<unknown>; readonly rows: readonly unknown[] }[] = [];
  /**
   * The selected rows in all visible views, because an extension can't find out which view has focus. While VS Code
   * redraws a view, it reports an empty selection, so we use the previous one.
   */
  const selection = () => {
    const visible = selections.filter(({ view }) => view.visible);
    return visible.flatMap(({ view, rows }) => (view.selection.length > 0 ? view.selection : rows));
  };
  context.subscriptions.push(
    tasksView,
    tasksTree,
    datasetsView,
    datasetsTree,
    ...[tasksView, datasetsView].map((view: TreeView<unknown>) =>
      view.onDidChangeSelection(({ selection: rows }) => {
        selections = [{ view, rows }, ...selections.filter((one) => one.view !== view)];
      }),
    ),
    ...contributed.map(({ command }) =>
      commands.registerCommand(command, async (...args: unknown[]) => {
        await (await engine.get()).run(command.replace('datasetImport.', ''), args, selection());
      }),
    ),
    followFileExtensions(),
    loadWhenNeeded(engine, storePath(context.globalStorageUri.fsPath)),
  );
  return tasksView;
}

/**
 * Loads the engine if there is a task database, which may contain unfinished imports, or if the sandbox is set to start
 * automatically.
 */
export function loadWhenNeeded(engine: Lazy<unknown>, database: string): Disposable {
  const loadIf = (isNeeded: boolean) => {
    // The next command that the user runs reports why loading failed.
    if (isNeeded) engine.get().catch(() => {});
    if (engine.made !== undefined) clearInterval(looking);
  };
  const looking = setInterval(() => loadIf(existsSync(database)), LOOK_MS);
  // Look for the database only after activation, so that other extensions don't have to wait.
  const first = setImmediate(() => loadIf(existsSync(database) || sandboxStartsAutomatically()));
  return new Disposable(() => {
    clearInterval(looking);
    clearImmediate(first);
  });
}

function provider<Row>(tree: LazyTree<Row>) {
  return { treeDataProvider: tree, dragAndDropController: tree };
}

/**
 * Keeps a context key in sync with the setting for file extensions. Menus show Import to Dataset… for these extensions.
 */
function followFileExtensions(): Disposable {
  // `when` clauses compare file extensions case-sensitively.
  const inEitherCase = () =>
    offeredExtensions().flatMap((extension) => [extension.toLowerCase(), extension.toUpperCase()]);
  const update = () => void setContextKey('fileExtensions', [...new Set(inEitherCase())]);
  update();
  return Disposable.from(onSettingChange('fileExtensions', update), workspace.onDidChangeWorkspaceFolders(update));
}
