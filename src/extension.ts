import path from 'node:path';
import * as vscode from 'vscode';
import { AccessKeys } from './editor/accessKeys';
import { importDropped } from './editor/commands/importFile';
import { commandTable } from './editor/commandTable';
import { Datasets } from './editor/datasets';
import { DatasetsTree } from './editor/datasetsTree';
import { FileDrops } from './editor/fileDrops';
import { followSettings } from './editor/followSettings';
import { ImportProgress } from './editor/importProgress';
import { LastAnswers } from './editor/lastAnswers';
import { Mapping } from './editor/mapping';
import { Messages } from './editor/messages';
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
import { ImportService } from './service/importService';
import { systemClock } from './tasks/clock';
import { ImportQueue } from './tasks/importQueue';
import { Marker } from './tasks/marker';
import { Refresher } from './tasks/refresher';
import { Sources } from './tasks/sources';
import { SqliteFile } from './tasks/sqliteFile';
import { TaskList } from './tasks/taskList';
import { TASK_MIGRATIONS, TaskStore } from './tasks/taskStore';
import { wait } from './tasks/wait';

/** Wires the parts. Nothing here reaches the network, the store or the secret storage; each does so at first need. */
export function activate(context: vscode.ExtensionContext) {
  const now = Date.now;
  const pace = { random: Math.random, wait };
  const log = vscode.window.createOutputChannel('Dataset Import', { log: true });
  const messages = new Messages(log);

  const keys = new AccessKeys(context.secrets);
  const datasets = new Datasets(keys, context.workspaceState);
  const webhooks = new Webhooks(context.globalState);
  const sandbox = new SandboxHost(datasets, keys);

  const service = new ImportService(new Http(httpSettings), (url, outcome) => messages.noteOutcome(url, outcome));
  const storePath = path.join(context.globalStorageUri.fsPath, 'tasks.sqlite');
  const file = new SqliteFile(storePath, TASK_MIGRATIONS, (aside) => {
    void messages.storeSetAside(aside);
    // So that the new store holds at once what this window knows.
    list.sync().catch((error) => messages.error(error));
  });
  const openImports = new Marker(path.join(context.globalStorageUri.fsPath, 'open-imports'));
  const list = new TaskList(new TaskStore(file, now, openImports));
  const findTarget = (name: string) => datasets.target(name);
  const refresher = new Refresher(service, list, findTarget, now, pace);
  const sources = new Sources();
  const queue = new ImportQueue({ service, list, sources, findTarget, clock: systemClock, allowed: concurrentImports });

  const answers = new LastAnswers(list);
  const tasksView = new TasksView(
    list,
    refresher,
    messages,
    now,
    new FileDrops((files) => importDropped(parts, files), messages),
  );
  const datasetsTree = new DatasetsTree(datasets, keys, webhooks);
  const mapping = new Mapping(datasets, list);
  const previews = new RequestPreviews();
  const parts = {
    list,
    queue,
    sources,
    refresher,
    service,
    datasets,
    keys,
    webhooks,
    sandbox,
    answers,
    mapping,
    previews,
    tasksView,
    messages,
    now,
    pace,
  };

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
    datasets.onDidChange(() => refresher.endPauses()),
    datasets.onDidChange(() => queue.goOn()),
    new OfferMapping(parts),
    new ImportReports(parts),
    new ImportProgress(queue, now),
    takeOverImports(list, openImports),
    { dispose: () => file.close() },
    vscode.window.registerTreeDataProvider(DATASETS_VIEW, datasetsTree),
    followSettings(datasets, messages),
    registerCommands(commandTable(parts), messages),
  );
  if (sandboxStartsAutomatically()) void sandbox.start().catch((error) => messages.error(error));
  return context.extensionMode === vscode.ExtensionMode.Test ? parts : undefined;
}
