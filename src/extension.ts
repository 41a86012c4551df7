import path from 'node:path';
import { type ExtensionContext, ExtensionMode, window } from 'vscode';
import { AccessKeys } from './editor/accessKeys/accessKeys';
import { Datasets } from './editor/datasets/datasets';
import { registerDatasets } from './editor/datasets/register';
import { registerFollowing } from './editor/following/register';
import { dropsOf } from './editor/importing/importFile';
import { registerImporting } from './editor/importing/register';
import { takeOverImports } from './editor/importing/takeOverImports';
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

/** How to end this window's work. */
const endings = new Set<() => Promise<void>>();

/** Waits, for as long as VS Code lets it, until what is known of the imports under way is stored. */
export async function deactivate(): Promise<void> {
  await Promise.all([...endings].map((end) => end()));
}

/** Wires the parts. Nothing here reaches the network, the store or the secret storage; each does so at first need. */
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

  const tasks = makeTaskParts({
    folder,
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
  const { list, queue, refresher, sources, file, clock } = tasks;
  const mapping = new Mapping(datasets, list, confirmMapping);
  const responses = new LastResponses(list);

  const owners = { datasets, keys, sandbox, messages };
  const importing = { ...owners, list, queue, sources, queueing: new SerialQueue(), now: clock.now };
  const tasksView = new TasksView({ ...owners, list, queue, refresher, now: clock.now, drops: dropsOf(importing) });
  const following = { ...owners, list, refresher, tasksView, mapping, responses, now: clock.now };

  endings.add(async () => {
    await queue.stop();
    await file.close();
  });
  context.subscriptions.push(
    ...[log, keys, datasets, webhooks, sandbox, queue, responses, tasksView, { dispose: () => void file.close() }],
    registerDatasets({ ...owners, webhooks, marks }),
    registerWebhooks({ ...owners, webhooks, service, clock }),
    registerSandbox(owners),
    registerImporting({ ...importing, ...following, clock }),
    registerFollowing(following),
    registerMapping(following),
    registerRequests({ ...owners, list, responses }),
    takeOverImports(list, tasks.openImports),
    registerCommands({ showLog: () => log.show() }, messages),
  );
  return context.extensionMode === ExtensionMode.Test
    ? { ...tasks, ...importing, ...following, webhooks, service }
    : undefined;
}
