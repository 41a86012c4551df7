import path from 'node:path';
import { EventEmitter, type ExtensionContext, ExtensionMode, window } from 'vscode';
import { AccessKeys } from './editor/accessKeys/accessKeys';
import { Datasets } from './editor/datasets/datasets';
import { registerDatasets } from './editor/datasets/register';
import { registerFollowing } from './editor/following/register';
import { dropsOf } from './editor/importing/importFile';
import { registerImporting } from './editor/importing/register';
import { confirmMapping } from './editor/mapping/confirmMapping';
import { Mapping } from './editor/mapping/mapping';
import { registerMapping } from './editor/mapping/register';
import { Messages } from './editor/platform/messages';
import { registerCommands } from './editor/platform/registerCommands';
import { concurrentImports, httpSettings } from './editor/platform/settings';
import { LastResponses } from './editor/requests/lastResponses';
import { registerRequests } from './editor/requests/register';
import { registerSandbox } from './editor/sandbox/register';
import { SandboxHost } from './editor/sandbox/sandboxHost';
import { TasksView } from './editor/tree/tasksView';
import { registerWebhooks } from './editor/webhooks/register';
import { Webhooks } from './editor/webhooks/webhooks';
import { Http } from './service/http/http';
import { ImportService } from './service/importService';
import { KnownKeys } from './service/masking/knownKeys';
import { SharedMarks } from './tasks/store/sharedMarks';
import { makeTaskParts } from './tasks/taskParts';
import { SerialQueue } from './tasks/timing/serialQueue';

/** What `deactivate` waits for. */
const endings = new Set<() => Promise<void>>();

/** Waits, for as long as VS Code allows, until the outcomes known so far are stored. */
export async function deactivate(): Promise<void> {
  await Promise.all([...endings].map((end) => end()));
}

/** Wires the parts. None reaches the network, the task database or the secret storage before its first use. */
export function activate(context: ExtensionContext) {
  const folder = context.globalStorageUri.fsPath;
  const log = window.createOutputChannel('Dataset Import', { log: true });
  const knownKeys = new KnownKeys();
  const messages = new Messages(log, knownKeys);
  const marks = new SharedMarks(path.join(folder, 'marks'));
  const keys = new AccessKeys(context.secrets, knownKeys, marks);
  const datasets = new Datasets(keys, context.workspaceState, marks, context.storageUri?.toString());
  const sandbox = new SandboxHost(datasets, keys, marks);
  const webhooks = new Webhooks(context.globalState);
  const service = new ImportService(new Http(httpSettings), messages.noteOutcome, knownKeys);
  const storeSetAside = new EventEmitter<string>();
  const tasks = makeTaskParts({
    folder,
    service,
    findTarget: (name) => datasets.target(name),
    originOf: (name) => datasets.originOf(name),
    contractOf: (destination) => datasets.contractOf(destination),
    targetMark: (name) => datasets.targetMark(name),
    allowed: concurrentImports,
    onSetAside: (aside) => storeSetAside.fire(aside),
  });
  const { list, queue, refresher, clock } = tasks;
  const common = { datasets, keys, sandbox, messages, list, clock };
  const mapping = new Mapping(datasets, list, confirmMapping);
  const responses = new LastResponses(list);
  const importing = { ...common, queue, sources: tasks.sources, queueing: new SerialQueue() };
  const tasksView = new TasksView({ ...common, queue, refresher, drops: dropsOf(importing) });

  endings.add(async () => {
    await queue.stop();
    await tasks.file.close();
  });
  context.subscriptions.push(
    ...[log, keys, datasets, webhooks, sandbox, storeSetAside, queue, responses, tasksView],
    registerCommands({ 'datasetImport.showLog': () => log.show() }, messages),
    registerDatasets({ ...common, webhooks, marks }),
    registerWebhooks({ ...common, webhooks, service }),
    registerSandbox(common),
    registerImporting({
      ...importing,
      tasksView,
      mapping,
      responses,
      onStoreSetAside: storeSetAside.event,
    }),
    registerFollowing({ ...common, refresher, tasksView }),
    registerMapping({ ...common, mapping, responses }),
    registerRequests({ ...common, responses, refresher }),
  );
  return context.extensionMode === ExtensionMode.Test
    ? { ...tasks, ...importing, webhooks, service, mapping, responses, tasksView }
    : undefined;
}
