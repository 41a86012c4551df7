import path from 'node:path';
import * as vscode from 'vscode';
import { AccessKeys } from './editor/accessKeys';
import { dropLimits, importDropped } from './editor/commands/importFile';
import { commandTable } from './editor/commandTable';
import { confirmMapping } from './editor/confirmMapping';
import { Datasets } from './editor/datasets';
import { DatasetsTree } from './editor/datasetsTree';
import { FileDrops } from './editor/fileDrops';
import { followMarks } from './editor/followMarks';
import { followSettings } from './editor/followSettings';
import { ImportProgress } from './editor/importProgress';
import { LastAnswers } from './editor/lastAnswers';
import { Mapping } from './editor/mapping';
import { Messages } from './editor/messages';
import { MovedImports } from './editor/movedImports';
import { OfferMapping } from './editor/offerMapping';
import { registerCommands } from './editor/registerCommands';
import { ImportReports } from './editor/reportImport';
import { RequestPreviews } from './editor/requestPreviews';
import { SandboxHost } from './editor/sandboxHost';
import { concurrentImports, httpSettings, sandboxStartsAutomatically } from './editor/settings';
import { takeOverImports } from './editor/takeOverImports';
import { TasksView } from './editor/tasksView';
import { DATASETS_VIEW } from './editor/viewIds';
import { Webhooks } from './editor/webhooks';
import { Http } from './service/http';
import { ImportService, type Observe } from './service/importService';
import { KnownKeys } from './service/knownKeys';
import { OneAtATime } from './tasks/oneAtATime';
import { SharedMarks } from './tasks/sharedMarks';
import { makeTaskParts } from './tasks/taskParts';

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
    contractOf: (destination) => datasets.contractOf(destination),
    targetMark: (name) => datasets.targetMark(name),
    allowed: concurrentImports,
    onSetAside: (aside) => {
      void messages.storeSetAside(aside);
      // So that the new store holds at once what this window knows.
      list.sync().catch((error) => messages.error(error));
    },
  });
  const { file, list, queue, refresher, openImports, clock } = taskParts;

  const answers = new LastAnswers(list);
  const drops = new FileDrops(
    (dropped) => importDropped(parts, dropped),
    () => dropLimits(taskParts),
    messages,
  );
  const tasksView = new TasksView({ list, queue, refresher, datasets, keys, sandbox, messages, now, drops });
  const datasetsTree = new DatasetsTree(datasets, keys, webhooks);
  const mapping = new Mapping(datasets, list, confirmMapping);
  const previews = new RequestPreviews();
  const editorParts = { datasets, keys, webhooks, sandbox, answers, mapping, previews, tasksView, messages };
  const parts = { ...taskParts, ...editorParts, service, now, queueing: new OneAtATime() };

  list.events.on('unsaved', (error) => void messages.error(error));
  context.subscriptions.push(
    log,
    keys,
    datasets,
    webhooks,
    sandbox,
    queue,
    answers,
    tasksView,
    datasetsTree,
    previews,
    keys.onDidFindUnreadable((cause) => messages.secretsUnreadable(cause)),
    keys.onDidFindOutdated((name) => messages.keyOutdated(name)),
    followMarks(marks, keys),
    datasets.onDidChange(() => {
      refresher.endPauses();
      void queue.goOn();
    }),
    new MovedImports(parts),
    new OfferMapping(parts),
    new ImportReports(parts),
    new ImportProgress(queue, clock.monotonicMs),
    takeOverImports(list, openImports),
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
