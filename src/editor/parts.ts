import { EventEmitter, type ExtensionContext, Uri, window, workspace } from 'vscode';
import { Http } from '../service/http/http';
import { ImportService, type Observe } from '../service/importService';
import { KnownKeys } from '../service/masking/mask';
import { mayBeBadKey } from '../service/response/outcome';
import type { OnSetAside } from '../tasks/database/sqliteConnection';
import { whyNotAsked } from '../tasks/serving/whyNotAsked';
import { makeTaskParts } from '../tasks/taskParts';
import { SerialQueue } from '../tasks/timing/serialQueue';
import { Announcements } from './announcing/announcements';
import { registerAnnouncing } from './announcing/register';
import { registerArranging } from './arranging/register';
import { TaskArrangement } from './arranging/taskArrangement';
import { BatchPages } from './batchPage/batchPages';
import { registerBatchPages } from './batchPage/register';
import { dropTarget } from './datasets/datasetsTree';
import { registerDatasets } from './datasets/register';
import { Webhooks } from './datasets/webhooks';
import { registerDecorating } from './decorating/register';
import { registerDetails } from './details/register';
import { TaskDetails } from './details/taskDetails';
import { dropsOf } from './importing/importFile';
import { registerImporting } from './importing/register';
import { confirmMapping, Mapping } from './mapping/mapping';
import { registerMapping } from './mapping/register';
import { Messages } from './platform/messages';
import { concurrentImports, httpSettings } from './platform/settings';
import { picks } from './platform/window';
import { registerRequests } from './requests/register';
import { registerSandbox } from './sandboxHost/register';
import { SandboxHost } from './sandboxHost/sandboxHost';
import { AccessKeys } from './datasets/accessKeys';
import { Datasets } from './datasets/datasets';
import type { Services } from './services';
import type { Shell } from './shell';
import { onNothing } from './targets';
import { registerTaskCommands } from './taskCommands/register';
import type { TasksNode } from './taskItems/tasksNode';
import { TasksView } from './tree/tasksView';
import { registerWalkthrough } from './walkthrough/register';

/**
 * Wires the parts and fills the shell with them. None reaches the network, the task database or the secret storage before
 * its first use.
 */
export function makeParts(context: ExtensionContext, shell: Shell) {
  const folder = context.globalStorageUri.fsPath;
  const log = window.createOutputChannel('Dataset Import', { log: true });
  const knownKeys = new KnownKeys();
  const messages = new Messages(log, knownKeys);
  const keys = new AccessKeys(context.secrets, knownKeys);
  const datasets = new Datasets(keys, context.workspaceState);
  const sandbox = new SandboxHost(datasets, keys, (line) => messages.note(`sandbox: ${line}`));
  const webhooks = new Webhooks(context.globalState);
  // Reading settings takes as long as much of the rest of sending a small file.
  const readSending = () => ({ http: httpSettings(), atOnce: concurrentImports() });
  let sending = readSending();
  const http = new Http(() => sending.http);
  const noteOutcome: Observe = (url, outcome) => {
    if (outcome.kind === 'rejected' && mayBeBadKey(outcome)) keys.readAgain();
    messages.noteOutcome(url, outcome);
  };
  const service = new ImportService(http, noteOutcome, knownKeys);
  const storeSetAside = new EventEmitter<Parameters<OnSetAside>>();
  const tasks = makeTaskParts({
    folder,
    service,
    findTarget: (name) => datasets.target(name),
    originOf: (name) => datasets.originOf(name),
    contractOf: (destination) => datasets.contractOf(destination),
    whyNotAsked: (destination) => whyNotAsked({ datasets, keys }, destination),
    onError: (error) => messages.note(`imports and tasks: ${error}`),
    allowed: () => sending.atOnce,
    onSetAside: (...aside) => storeSetAside.fire(aside),
  });
  const announcements = new Announcements(messages, context.globalState);
  const { commands } = shell;
  const arrangement = new TaskArrangement(context.globalState);
  const services: Services = { ...tasks, datasets, keys, sandbox, messages, picks, commands, arrangement };
  const mapping = new Mapping(datasets, tasks.list, confirmMapping);
  const details = new TaskDetails(services, shell.details);
  const media = Uri.joinPath(context.extensionUri, 'media');
  const batchPages = new BatchPages(services, media);
  shell.batchPages.provide((panel, batchId) => batchPages.restore(panel, batchId));
  const importing = { ...services, memory: context.globalState, queueing: new SerialQueue() };
  const drops = dropsOf<TasksNode>(importing);
  const tasksView = new TasksView(services, { tree: shell.tasksTree, view: shell.tasksView, drops, arrangement });
  const mappings = { ...services, mapping };

  commands.handle({ 'datasetImport.showLog': onNothing(() => log.show()) }, messages);
  context.subscriptions.push(
    ...[keys, datasets, webhooks, sandbox, storeSetAside, tasks.queue, http, tasksView, details, batchPages],
    workspace.onDidChangeConfiguration(() => {
      sending = readSending();
    }),
    registerArranging(services, arrangement, shell.tasksView),
    registerDatasets({ ...services, webhooks }, shell.datasetsTree, dropsOf(importing, dropTarget)),
    registerImporting(
      { ...importing, ...mappings, announcements, tasksView },
      Uri.joinPath(media, 'samples'),
      storeSetAside.event,
    ),
    registerTaskCommands({ ...services, tasksView }),
    registerMapping(mappings),
    registerWalkthrough(services),
    registerAnnouncing({ ...services, notices: tasks.notices, announcements, tasksView }, shell.tasksView),
    registerDecorating(services, () => tasks.store.exists),
  );
  registerDetails(services, details);
  registerBatchPages(services, batchPages);
  registerSandbox(services);
  registerRequests({ ...services, webhooks, service, previews: shell.previews });
  return {
    ...{ ...tasks, ...importing, ...mappings, webhooks, service, tasksView, sandbox },
    /** Resolves once what is known is stored. Until then the log is needed, while VS Code disposes of `subscriptions`. */
    async end(): Promise<void> {
      await tasks.end();
      messages.dispose();
    },
  };
}

export type Parts = ReturnType<typeof makeParts>;
