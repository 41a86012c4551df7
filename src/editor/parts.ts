import path from 'node:path';
import { EventEmitter, type ExtensionContext, window } from 'vscode';
import { Http } from '../service/http/http';
import { ImportService } from '../service/importService';
import { KnownKeys } from '../service/masking/mask';
import type { OnSetAside } from '../tasks/database/sqliteConnection';
import { Follower } from '../tasks/following/follower';
import { whyNotAsked } from '../tasks/following/whyNotAsked';
import { SharedMarks } from '../tasks/store/sharedMarks';
import { makeTaskParts } from '../tasks/taskParts';
import { SerialQueue } from '../tasks/timing/serialQueue';
import { AccessKeys } from './accessKeys/accessKeys';
import { Announcements } from './announcing/announcements';
import { registerAnnouncing } from './announcing/register';
import { registerArranging } from './arranging/register';
import { TaskArrangement } from './arranging/taskArrangement';
import { Datasets } from './datasets/datasets';
import { registerDatasets } from './datasets/register';
import { Webhooks } from './datasets/webhooks';
import { registerDetails } from './details/register';
import { TaskDetails } from './details/taskDetails';
import { registerExporting } from './exporting/register';
import { registerFollowing } from './following/register';
import { FirstImport } from './importing/firstImport';
import { dropsOf } from './importing/importFile';
import { registerImporting } from './importing/register';
import { chooseMessageActions } from './mapping/chooseMessageActions';
import { confirmMapping, Mapping } from './mapping/mapping';
import { registerMapping } from './mapping/register';
import { Messages } from './platform/messages';
import { concurrentImports, httpSettings, notifications } from './platform/settings';
import { picks } from './platform/window';
import { LastResponses } from './requests/lastResponses';
import { registerRequests } from './requests/register';
import { RequestPreviews } from './requests/requestPreviews';
import { registerSandbox } from './sandbox/register';
import { SandboxHost } from './sandbox/sandboxHost';
import type { Shell } from './shell';
import { TasksView } from './tree/tasksView';
import { registerWalkthrough } from './walkthrough/register';
import { registerWebhooks } from './webhooks/register';

/**
 * Wires the parts and fills the shell with them. None reaches the network, the task database or the secret storage before
 * its first use.
 */
export function makeParts(context: ExtensionContext, shell: Shell) {
  const folder = context.globalStorageUri.fsPath;
  const log = window.createOutputChannel('Dataset Import', { log: true });
  const knownKeys = new KnownKeys();
  const messages = new Messages(log, knownKeys);
  const marks = new SharedMarks(path.join(folder, 'marks'));
  const keys = new AccessKeys(context.secrets, knownKeys, marks);
  const datasets = new Datasets(keys, context.workspaceState, marks, context.storageUri?.toString());
  const sandbox = new SandboxHost(datasets, keys, shell.sandboxRequests, marks);
  const webhooks = new Webhooks(context.globalState);
  const http = new Http(httpSettings);
  const service = new ImportService(http, messages.noteOutcome, knownKeys);
  const storeSetAside = new EventEmitter<Parameters<OnSetAside>>();
  const tasks = makeTaskParts({
    folder,
    service,
    findTarget: (name) => datasets.target(name),
    originOf: (name) => datasets.originOf(name),
    contractOf: (destination) => datasets.contractOf(destination),
    targetMark: (name) => datasets.targetMark(name),
    allowed: concurrentImports,
    onSetAside: (...aside) => storeSetAside.fire(aside),
  });
  const { list, queue, refresher, clock } = tasks;
  const announcements = new Announcements(messages, context.globalState, notifications);
  const follower = new Follower({
    ...tasks,
    exists: () => tasks.file.exists,
    whyNotAsked: (destination) => whyNotAsked({ datasets, keys, sandbox }, destination),
    onError: (error) => messages.note(`follow: ${error}`),
  });
  const common = { datasets, keys, sandbox, messages, announcements, list, clock, picks, commands: shell.commands };
  const mapping = new Mapping(datasets, list, confirmMapping);
  const responses = new LastResponses(list, shell.responses);
  const details = new TaskDetails({ ...common, follower, refresher }, shell.details);
  const firstImport = new FirstImport(context.globalState);
  const importing = { ...common, queue, sources: tasks.sources, firstImport, queueing: new SerialQueue() };
  const drops = dropsOf(importing);
  const arrangement = new TaskArrangement(context.globalState);
  const inView = { tree: shell.tasksTree, view: shell.tasksView, arrangement };
  const tasksView = new TasksView({ ...common, ...inView, queue, follower, drops });

  shell.commands.handle({ 'datasetImport.showLog': () => log.show() }, messages);
  context.subscriptions.push(
    ...[keys, datasets, webhooks, sandbox, storeSetAside, queue, http, responses, tasksView, details],
    registerArranging({ ...common, ...inView }),
    registerDatasets({ ...common, webhooks, marks, tree: shell.datasetsTree }),
    registerImporting({ ...importing, tasksView, mapping, responses, onStoreSetAside: storeSetAside.event }),
    registerFollowing({ ...common, file: tasks.file, sources: tasks.sources, refresher, follower, tasksView }),
    registerMapping({ ...common, mapping, responses, refresher }),
    registerWalkthrough(common),
    registerAnnouncing({
      ...common,
      notices: tasks.notices,
      tasksView,
      messageActions: (task) => chooseMessageActions({ ...common, mapping }, task),
      view: shell.tasksView,
      onError: (error) => messages.note(`announce: ${error}`),
    }),
  );
  registerDetails({ ...common, details });
  registerExporting({ ...common, arrangement });
  registerSandbox(common);
  const previews = new RequestPreviews(shell.previews);
  registerWebhooks({ ...common, webhooks, service, previews });
  registerRequests({ ...common, responses, refresher, previews });
  return {
    ...{ ...tasks, ...importing, webhooks, service, mapping, responses, tasksView, follower },
    /** Resolves once what is known is stored. Until then the log is needed, while VS Code disposes of `subscriptions`. */
    async end(): Promise<void> {
      await Promise.all([queue.stop(), follower.stop()]);
      await tasks.file.close();
      messages.dispose();
    },
  };
}

export type Parts = ReturnType<typeof makeParts>;
