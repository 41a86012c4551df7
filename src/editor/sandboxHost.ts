import * as vscode from 'vscode';
import type { Sandbox } from '../sandbox/sandbox';
import { DEFAULT_CONTRACT } from '../service/contract/contract';
import { type Dataset, SANDBOX_NAME } from '../service/contract/dataset';
import type { AccessKeys } from './datasets/accessKeys';
import type { Datasets } from './datasets/datasets';
import { commandAction } from './platform/actions';
import { setContextKey } from './platform/contextKeys';
import type { Services } from './services';

/** Starts the sandbox and offers to import sample files to it. */
export async function startSandbox(services: Pick<Services, 'sandbox' | 'datasets' | 'messages'>): Promise<void> {
  const { sandbox, datasets, messages } = services;
  const dataset = await sandbox.start();
  const setDefault = commandAction('setDefaultDataset', { dataset }, vscode.l10n.t('Set as Default'));
  const message = vscode.l10n.t(
    "The sandbox is running as dataset '{0}'. Files that are imported to it stay on this machine.",
    dataset.name,
  );
  const isDefault = datasets.default?.name === dataset.name;
  await messages.done(message, commandAction('importSamples'), ...(isDefault ? [] : [setDefault]));
}

/** Runs the sandbox in this window. Its dataset and access key exist only while it is running. */
export class SandboxHost implements vscode.Disposable {
  #running: Promise<{ readonly sandbox: Sandbox; readonly dataset: Dataset }> | undefined;

  /** Calls `log` with one line per request. */
  constructor(
    private readonly datasets: Datasets,
    private readonly keys: AccessKeys,
    private readonly log: (line: string) => void,
  ) {}

  /** Does nothing if the sandbox is already running. */
  async start(): Promise<Dataset> {
    this.#running ??= this.#start().catch((error) => {
      this.#running = undefined;
      throw error;
    });
    return (await this.#running).dataset;
  }

  /** The sandbox's tasks stay in the list with their last state. */
  async stop(): Promise<void> {
    const running = await this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    this.datasets.setSandbox(undefined);
    this.keys.clearForSession(running.dataset);
    await setContextKey('sandboxRunning', false);
    await running.sandbox.close();
  }

  dispose(): void {
    void this.#running?.then(({ sandbox }) => sandbox.close());
  }

  async #start() {
    const { startSandbox } = await import('../sandbox/sandbox');
    const sandbox = await startSandbox({ l10n: vscode.l10n, log: this.log });
    const dataset = { name: SANDBOX_NAME, baseUrl: new URL(sandbox.baseUrl), contract: DEFAULT_CONTRACT };
    this.keys.setForSession(dataset, sandbox.accessKey);
    this.datasets.setSandbox(dataset);
    await setContextKey('sandboxRunning', true);
    return { sandbox, dataset };
  }
}
