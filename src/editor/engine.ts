import { type ExtensionContext, type TreeView, Uri, window as vscodeWindow, workspace } from 'vscode';
import { Http } from '../service/http/http';
import { ImportService, type Observe } from '../service/importService';
import { KnownKeys } from '../service/masking/mask';
import { mayBeBadKey } from '../service/response/outcome';
import { connectTasks, taskThreads } from '../tasks/connectTasks';
import type { FileRow } from '../tasks/store/model';
import { textsFolder } from '../tasks/storePath';
import { runCommand } from './commands';
import { AccessKeys } from './datasets/accessKeys';
import { Datasets } from './datasets/datasets';
import { DatasetsTree, dropTarget, followSettings } from './datasets/datasetsTree';
import { datasetAt, whyNotServed, whyWaits } from './datasets/findDataset';
import { dropsOf } from './importing/drops';
import { previewText } from './mapping/previewRequest';
import { resumeAfterRejections } from './mapping/resumeAfterRejections';
import { GeneratedDocuments } from './platform/documents';
import { listen } from './platform/listen';
import { Messages } from './platform/messages';
import { concurrentImports, historyKept, httpSettings, sandboxStartsAutomatically } from './platform/settings';
import { picks, window } from './platform/window';
import { SandboxHost } from './sandboxHost';
import type { Services } from './services';
import { showChanges } from './showChanges';
import { TaskArrangement } from './tasksView/arrangement';
import { BatchPages } from './tasksView/batchPage';
import { DetailsDocuments } from './tasksView/details';
import type { TasksNode } from './tasksView/shownRows';
import { followView, TasksView } from './tasksView/tasksView';

/**
 * Creates all services. None of them accesses the network, the task database or the secret storage until it is used.
 */
export function makeEngine(context: ExtensionContext, view: TreeView<TasksNode>) {
  const folder = context.globalStorageUri.fsPath;
  const log = vscodeWindow.createOutputChannel('Dataset Import', { log: true });
  const knownKeys = new KnownKeys();
  const messages = new Messages(log, knownKeys);
  const keys = new AccessKeys(context.secrets, knownKeys);
  const memory = context.globalState;
  const datasets = new Datasets(keys, context.workspaceState, memory);
  const sandbox = new SandboxHost(datasets, keys, (line) => messages.note(`sandbox: ${line}`));

  // Cached, because reading the settings takes about as long as everything else involved in sending a small file.
  const readSending = () => ({ http: httpSettings(), allowed: concurrentImports() });
  let sending = readSending();
  const http = new Http(() => sending.http);
  const noteOutcome: Observe = (url, outcome) => {
    if (outcome.kind === 'rejected' && mayBeBadKey(outcome)) keys.readAgain();
    messages.noteOutcome(url, outcome);
  };
  const service = new ImportService(http, noteOutcome, knownKeys);
  const tasks = connectTasks(
    taskThreads(folder, (aside) => void messages.storeSetAside(aside)),
    {
      folder,
      service,
      findTarget: (name) => datasets.target(name),
      contractOf: (destination) => datasets.contractOf(destination),
      canServe: (destination) => whyNotServed({ datasets, keys }, destination) === undefined,
      readKeysAgain: () => keys.readAgain(),
      allowed: () => sending.allowed,
      retention: historyKept,
      onError: (error) => messages.note(`imports and tasks: ${error}`),
    },
  );
  const { store, serving, clock } = tasks;

  const arrangement = new TaskArrangement(memory);
  const why = (id: number) => whyWaits({ datasets, keys, serving }, id);
  const progressOf = () => serving.progress;
  const tasksView = new TasksView({ store, clock, view, whyWaits: why, progress: progressOf }, arrangement.current);
  const contextOf = ({ destination }: FileRow) => ({ nowMs: clock.now(), why: why(destination) });
  const details = new DetailsDocuments(store, contextOf);
  const media = Uri.joinPath(context.extensionUri, 'media');
  const onPageError = (error: unknown) => messages.note(`batch page: ${error}`);
  const batchPages = new BatchPages({ store, media, whyWaits: why, onError: onPageError });
  const services: Services = {
    ...tasks,
    datasets,
    keys,
    sandbox,
    service,
    view,
    tasksView,
    arrangement,
    details,
    batchPages,
    messages,
    log,
    picks,
    memory,
    previews: new GeneratedDocuments('dataset-import-preview', (uri) => previewText(services, uri)),
    confirm: window.confirm,
    textsFolder: textsFolder(folder),
    samples: Uri.joinPath(media, 'samples'),
  };
  const datasetsTree = new DatasetsTree(datasets, keys);
  const datasetOfTask = (node: TasksNode) => {
    const destination = tasksView.destinationOf(node);
    return destination && datasetAt(services, destination);
  };

  context.subscriptions.push({ dispose: () => http.closeConnections() }, keys, datasets, sandbox);
  context.subscriptions.push(arrangement, tasksView, details, services.previews, batchPages, datasetsTree);
  context.subscriptions.push(
    followSettings(datasets, messages),
    followView(tasksView, view, arrangement),
    resumeAfterRejections(services),
    showChanges(services),
    workspace.onDidChangeConfiguration(() => {
      sending = readSending();
    }),
    datasets.onDidChange(() => tasks.targetsChanged().catch((error) => messages.error(error))),
    keys.onDidFindUnreadable((cause) => messages.secretsUnreadable(cause)),
    listen(serving.events, 'fault', (fault) => void messages.error(fault)),
    listen(serving.events, 'outdated', () => void messages.outdated()),
  );
  serving.start();
  if (sandboxStartsAutomatically()) void sandbox.start().catch((error) => messages.error(error));
  return {
    ...services,
    tasksTree: { rows: tasksView, drops: dropsOf(services, datasetOfTask) },
    datasetsTree: { rows: datasetsTree, drops: dropsOf(services, dropTarget) },
    run: (command: string, args: readonly unknown[], selection: readonly unknown[]) =>
      runCommand(services, command, args, selection),
    /**
     * Stops uploads and resolves once their outcomes are stored. The log is closed only after that, so it isn't in
     * `subscriptions`, which VS Code disposes of earlier.
     */
    async end(): Promise<void> {
      await tasks.end();
      messages.dispose();
    },
  };
}

export type Engine = ReturnType<typeof makeEngine>;
