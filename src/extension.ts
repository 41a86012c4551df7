import path from 'node:path';
import * as vscode from 'vscode';
import { AccessKeys } from './editor/accessKeys/accessKeys';
import { followMarks } from './editor/accessKeys/followMarks';
import { commandTable } from './editor/commandTable';
import { Datasets } from './editor/datasets/datasets';
import { DatasetsTree } from './editor/datasets/datasetsTree';
import { followSettings } from './editor/datasets/followSettings';
import { Webhooks } from './editor/datasets/webhooks';
import { FileDrops } from './editor/files/fileDrops';
import { dropLimits, importDropped } from './editor/importing/importFile';
import { ImportProgress } from './editor/importing/importProgress';
import { MovedImports } from './editor/importing/movedImports';
import { ImportReports } from './editor/importing/reportImport';
import { takeOverImports } from './editor/importing/takeOverImports';
import { confirmMapping } from './editor/mapping/confirmMapping';
import { Mapping } from './editor/mapping/mapping';
import { OfferMapping } from './editor/mapping/offerMapping';
import { Messages } from './editor/platform/messages';
import { registerCommands } from './editor/platform/registerCommands';
import { concurrentImports, httpSettings, sandboxStartsAutomatically } from './editor/platform/settings';
import { DATASETS_VIEW } from './editor/platform/viewIds';
import { LastResponses } from './editor/requests/lastResponses';
import { RequestPreviews } from './editor/requests/requestPreviews';
import { SandboxHost } from './editor/sandbox/sandboxHost';
import { TasksView } from './editor/tree/tasksView';
import { Http } from './service/http/http';
import { ImportService, type Observe } from './service/importService';
import { KnownKeys } from './service/masking/knownKeys';
import { SharedMarks } from './tasks/store/sharedMarks';
import { makeTaskParts } from './tasks/taskParts';
import { SerialQueue } from './tasks/timing/serialQueue';

/** What is to be stored before this window ends. */
const endings = new Set<() => Promise<void>>();

/** Waits, for as long as VS Code lets it, until what is known of the imports under way is stored. */
export async function deactivate(): Promise<void> {
  await Promise.all([...endings].map((end) => end()));
}

/** Wires the parts. Nothing here reaches the network, the store or the secret storage; each does so at first need. */
export function activate(context: vscode.ExtensionContext) {
  const now = Date.now;
  const log = vscode.window.createOutputChannel('Dataset Import', { log: true });
  const knownKeys = new KnownKeys();
  const messages = new Messages(log, knownKeys);

  const marks = new SharedMarks(path.join(context.globalStorageUri.fsPath, 'marks'));
  const keys = new AccessKeys(context.secrets, knownKeys, marks);
  const datasets = new Datasets(keys, context.workspaceState, marks, context.storageUri?.toString());
  const webhooks = new Webhooks(context.globalState);
  const sandbox = new SandboxHost(datasets, keys, marks);

  const observe: Observe = (url, outcome) => messages.noteOutcome(url, outcome);
  const service = new ImportService(new Http(httpSettings), observe, knownKeys);
  const taskParts = makeTaskParts({
    folder: context.globalStorageUri.fsPath,
    service,
    findTarget: (name) => datasets.target(name),
    originOf: (name) => datasets.originOf(name),
    targetMark: (name) => datasets.targetMark(name),
    allowed: concurrentImports,
    onSetAside: (aside) => {
      void messages.storeSetAside(aside);
      // So that the new store holds at once what this window knows.
      list.sync().catch((error) => messages.error(error));
    },
  });
  const { file, list, queue, refresher, clock } = taskParts;

  const responses = new LastResponses(list);
  const drops = new FileDrops(
    (dropped) => importDropped(parts, dropped),
    () => dropLimits(taskParts),
    messages,
  );
  const tasksView = new TasksView({ list, queue, refresher, datasets, keys, sandbox, messages, now, drops });
  const datasetsTree = new DatasetsTree(datasets, keys, webhooks);
  const mapping = new Mapping(datasets, list, confirmMapping);
  const previews = new RequestPreviews();
  const editorParts = { datasets, keys, webhooks, sandbox, responses, mapping, previews, tasksView, messages };
  const parts = { ...taskParts, ...editorParts, service, now, queueing: new SerialQueue() };

  list.events.on('unsaved', (error) => void messages.error(error));
  context.subscriptions.push(
    log,
    keys,
    datasets,
    webhooks,
    sandbox,
    queue,
    responses,
    tasksView,
    datasetsTree,
    previews,
    keys.onDidFindUnreadable((cause) => messages.secretsUnreadable(cause)),
    keys.onDidFindOutdated((name) => messages.keyOutdated(name)),
    followMarks(marks, keys),
    datasets.onDidChange(() => {
      refresher.endPauses();
      void queue.resume();
    }),
    new MovedImports(parts),
    new OfferMapping(parts),
    new ImportReports(parts),
    new ImportProgress(queue, clock.monotonicMs),
    takeOverImports(list),
    { dispose: () => void file.close() },
    vscode.window.registerTreeDataProvider(DATASETS_VIEW, datasetsTree),
    followSettings(datasets, messages),
    registerCommands(commandTable(parts), messages),
  );
  endings.add(async () => {
    await queue.stop();
    await file.close();
  });
  if (sandboxStartsAutomatically()) void sandbox.start().catch((error) => messages.error(error));
  return context.extensionMode === vscode.ExtensionMode.Test ? parts : undefined;
}
