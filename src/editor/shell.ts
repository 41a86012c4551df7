import { existsSync } from 'node:fs';
import { commands, Disposable, type ExtensionContext, l10n, type TreeView, window, workspace } from 'vscode';
import { storePath } from '../tasks/storePath';
import type { DatasetsRow } from './datasets/datasetsTree';
import { LazyTree, type LoadedTree } from './lazyTree';
import { setContextKey } from './platform/contextKeys';
import { offeredExtensions, onSettingChange, sandboxStartsAutomatically } from './platform/settings';
import type { TasksNode } from './tasksView/shownRows';
import { DATASETS_VIEW, TASKS_VIEW } from './views';

/** The part of the engine that the shell uses. */
interface Loaded {
  readonly tasksTree: LoadedTree<TasksNode>;
  readonly datasetsTree: LoadedTree<DatasetsRow>;
  /** Runs a command with the arguments that VS Code passes and the selected rows of the visible views. */
  run(command: string, args: readonly unknown[], selection: readonly unknown[]): Promise<void>;
}

/** How often to look for a task database, which another window may create. */
const LOOK_MS = 1000;

/** @throws Error if this Node is too old for the engine. Other editors, such as Theia, run extensions on any Node. */
export function checkNode(version = process.versions.node): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 19))
    throw new Error(l10n.t('This editor runs extensions on Node.js {0}, and 22.19 or later is needed.', version));
}

/**
 * Creates a value when it is first needed, and only once. A failure is final, because some steps may already have run.
 */
export class Lazy<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  get(): Promise<T> {
    this.#made ??= this.#make();
    return this.#made;
  }

  /** Undefined if the value hasn't been needed yet. */
  get made(): Promise<T> | undefined {
    return this.#made;
  }
}

/** Everything that must be registered when a window starts. */
export class Shell implements Disposable {
  readonly tasksView: TreeView<TasksNode>;
  readonly #datasetsView: TreeView<DatasetsRow>;
  readonly #registrations: Disposable;
  #selected: readonly TasksNode[] = [];

  constructor({ extension, globalStorageUri }: ExtensionContext, engine: Lazy<Loaded>) {
    const tasksTree = new LazyTree(async () => (await engine.get()).tasksTree);
    const datasetsTree = new LazyTree(async () => (await engine.get()).datasetsTree);
    this.tasksView = window.createTreeView(TASKS_VIEW, { ...provider(tasksTree), canSelectMany: true });
    this.#datasetsView = window.createTreeView(DATASETS_VIEW, provider(datasetsTree));
    const contributed: readonly { readonly command: string }[] = extension.packageJSON.contributes.commands;
    this.#registrations = Disposable.from(
      ...[this.tasksView, tasksTree, this.#datasetsView, datasetsTree],
      this.tasksView.onDidChangeSelection(({ selection }) => {
        this.#selected = selection;
      }),
      ...contributed.map(({ command }) =>
        commands.registerCommand(command, async (...args: unknown[]) => {
          await (await engine.get()).run(command.replace('datasetImport.', ''), args, this.#selection);
        }),
      ),
      followFileExtensions(),
      loadWhenNeeded(engine, storePath(globalStorageUri.fsPath)),
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

/** Loads the engine for imports that a closed window may have left in the task database, and to start the sandbox. */
export function loadWhenNeeded(engine: Lazy<unknown>, database: string): Disposable {
  const loadIf = (isNeeded: boolean) => {
    // The next command shows why loading failed.
    if (isNeeded) engine.get().catch(() => {});
    if (engine.made !== undefined) clearInterval(looking);
  };
  const looking = setInterval(() => loadIf(existsSync(database)), LOOK_MS);
  // Not during activation, because other extensions wait for it.
  const first = setImmediate(() => loadIf(existsSync(database) || sandboxStartsAutomatically()));
  return new Disposable(() => {
    clearInterval(looking);
    clearImmediate(first);
  });
}

function provider<Row>(tree: LazyTree<Row>) {
  return { treeDataProvider: tree, dragAndDropController: tree };
}

/** Keeps the context key that shows Import to Dataset… in menus equal to its setting. */
function followFileExtensions(): Disposable {
  // `when` clauses compare file extensions case-sensitively.
  const inEitherCase = () =>
    offeredExtensions().flatMap((extension) => [extension.toLowerCase(), extension.toUpperCase()]);
  const update = () => void setContextKey('fileExtensions', [...new Set(inEitherCase())]);
  update();
  return Disposable.from(onSettingChange('fileExtensions', update), workspace.onDidChangeWorkspaceFolders(update));
}
