import type { LogOutputChannel, Memento, Uri } from 'vscode';
import type { Dataset } from '../service/contract/dataset';
import type { ImportService } from '../service/importService';
import type { Tasks } from '../tasks/connectTasks';
import type { AccessKeys } from './datasets/accessKeys';
import type { Datasets } from './datasets/datasets';
import type { Webhooks } from './datasets/webhooks';
import type { GeneratedDocuments } from './platform/documents';
import type { Messages } from './platform/messages';
import type { Picks, window } from './platform/window';
import type { TaskArrangement } from './tasksView/arrangement';
import type { BatchPages } from './tasksView/batchPage';
import type { DetailsDocuments } from './tasksView/details';
import type { TasksView } from './tasksView/tasksView';

/** The sandbox as far as its dataset is concerned. */
interface SandboxSwitch {
  /** Does nothing if it already runs. */
  start(): Promise<Dataset>;
  stop(): Promise<void>;
}

/** What the commands work with. Made once, in engine.ts; a function that needs few of them names which. */
export interface Services extends Pick<Tasks, 'store' | 'files' | 'serving' | 'following' | 'clock'> {
  readonly service: ImportService;
  readonly datasets: Datasets;
  readonly keys: AccessKeys;
  readonly webhooks: Webhooks;
  readonly sandbox: SandboxSwitch;
  readonly tasks: Tasks;
  readonly tasksView: TasksView;
  readonly arrangement: TaskArrangement;
  readonly details: DetailsDocuments;
  readonly batchPages: BatchPages;
  readonly previews: GeneratedDocuments;
  readonly messages: Messages;
  readonly log: LogOutputChannel;
  readonly picks: Picks;
  /** Asks in a modal dialog whether to do what the button says. */
  readonly confirm: typeof window.confirm;
  /** What is remembered of the user, in all windows. */
  readonly memory: Memento;
  /** The folder of our files with texts, beside the task database. */
  readonly textsFolder: string;
  /** The folder with the sample files. */
  readonly samples: Uri;
}
