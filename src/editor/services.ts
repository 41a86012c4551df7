import type { LogOutputChannel, Memento, TreeView, Uri } from 'vscode';
import type { Dataset } from '../service/contract/dataset';
import type { ImportService } from '../service/importService';
import type { Tasks } from '../tasks/connectTasks';
import type { AccessKeys } from './datasets/accessKeys';
import type { Datasets } from './datasets/datasets';
import type { GeneratedDocuments } from './platform/documents';
import type { Messages } from './platform/messages';
import type { Picks, window } from './platform/window';
import type { TaskArrangement } from './tasksView/arrangement';
import type { BatchPages } from './tasksView/batchPage';
import type { DetailsDocuments } from './tasksView/details';
import type { TasksNode } from './tasksView/shownRows';
import type { TasksView } from './tasksView/tasksView';

/** The services that commands use, created once in engine.ts. A function that needs only a few of them uses `Pick`. */
export interface Services extends Tasks {
  readonly service: ImportService;
  readonly datasets: Datasets;
  readonly keys: AccessKeys;
  /** Starts and stops the sandbox. Starting it does nothing if it is already running. */
  readonly sandbox: { start(): Promise<Dataset>; stop(): Promise<void> };
  readonly view: TreeView<TasksNode>;
  readonly tasksView: TasksView;
  readonly arrangement: TaskArrangement;
  readonly details: DetailsDocuments;
  readonly batchPages: BatchPages;
  readonly previews: GeneratedDocuments;
  readonly messages: Messages;
  readonly log: LogOutputChannel;
  readonly picks: Picks;
  /** Asks for confirmation in a modal dialog. Resolves to true if the user confirms, otherwise to false. */
  readonly confirm: typeof window.confirm;
  /** VS Code's global state, which all windows share. */
  readonly memory: Memento;
  /** The folder for imported text that didn't come from a file. It is next to the task database. */
  readonly textsFolder: string;
  /** The folder with the sample files. */
  readonly samples: Uri;
}
