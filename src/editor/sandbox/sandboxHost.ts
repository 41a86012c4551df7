import * as vscode from 'vscode';
import type { Sandbox, SandboxProfileId, sandboxProfiles } from '../../sandbox/sandbox';
import { DEFAULT_CONTRACT } from '../../service/contract/contract';
import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import { setContextKey } from '../platform/contextKeys';
import type { GeneratedDocuments } from '../platform/documents';
import type { AccessKeys } from '../services/accessKeys';
import type { Datasets } from '../services/datasets';
import { describeRequests } from './describeRequests';

/** The language of package.json that highlights the requests. */
const REQUESTS_LANGUAGE = 'dataset-import-requests';

interface Running {
  readonly sandbox: Sandbox;
  readonly dataset: Dataset;
}

/** Runs the sandbox in this window. Its dataset and access key exist while it runs. */
export class SandboxHost implements vscode.Disposable {
  readonly #datasets: Datasets;
  readonly #keys: AccessKeys;
  readonly #documents: GeneratedDocuments;
  #describe = () => describeRequests([]);
  #running: Promise<Running> | undefined;

  constructor(datasets: Datasets, keys: AccessKeys, documents: GeneratedDocuments) {
    this.#datasets = datasets;
    this.#keys = keys;
    this.#documents = documents;
    documents.provide(() => this.#describe());
  }

  /** Does nothing where the sandbox already runs. */
  async start(profile: SandboxProfileId = 'standard'): Promise<Dataset> {
    this.#running ??= this.#start(profile).catch((error) => {
      this.#running = undefined;
      throw error;
    });
    return (await this.#running).dataset;
  }

  async profiles(): Promise<typeof sandboxProfiles> {
    return (await import('../../sandbox/sandbox')).sandboxProfiles;
  }

  /** Stops the sandbox. Its tasks stay in the view with their last state. */
  async stop(): Promise<void> {
    const running = await this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    this.#datasets.setSandbox(undefined);
    this.#keys.clearForSession(running.dataset);
    await setContextKey('sandboxRunning', false);
    await running.sandbox.close();
  }

  /** Shows the requests as the sandbox received them, and its webhook deliveries. */
  async showRequests(): Promise<void> {
    await this.#documents.show(`/${vscode.l10n.t('Sandbox Requests')}`, { language: REQUESTS_LANGUAGE });
  }

  dispose(): void {
    void this.#running?.then(({ sandbox }) => sandbox.close());
  }

  async #start(profile: SandboxProfileId): Promise<Running> {
    const { startSandbox } = await import('../../sandbox/sandbox');
    const refresh = () => this.#documents.refresh();
    const sandbox = await startSandbox({ profile, l10n: vscode.l10n, onRequest: refresh, onDelivery: refresh });
    this.#describe = () => describeRequests(sandbox.records);
    const dataset = { name: SANDBOX_NAME, baseUrl: new URL(sandbox.baseUrl), contract: DEFAULT_CONTRACT };
    this.#keys.setForSession(dataset, sandbox.accessKey);
    this.#datasets.setSandbox(dataset);
    await setContextKey('sandboxRunning', true);
    return { sandbox, dataset };
  }
}
