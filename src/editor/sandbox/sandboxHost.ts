import * as vscode from 'vscode';
import type { Sandbox, SandboxProfileId, sandboxProfiles } from '../../sandbox/sandbox';
import { DEFAULT_CONTRACT } from '../../service/contract/contract';
import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import { hasProcess } from '../../tasks/leases/windowLease';
import type { SharedMarks } from '../../tasks/store/sharedMarks';
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
  readonly #marks: SharedMarks | undefined;
  readonly #documents: GeneratedDocuments;
  #describe = () => describeRequests([]);
  #running: Promise<Running> | undefined;

  /** `documents` show what it receives; `marks` show the other windows which sandboxes run here. */
  constructor(datasets: Datasets, keys: AccessKeys, documents: GeneratedDocuments, marks?: SharedMarks) {
    this.#datasets = datasets;
    this.#keys = keys;
    this.#marks = marks;
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
    this.#updateMarks((marks) => marks.remove(markOf(running.dataset.baseUrl.origin)));
    await setContextKey('sandboxRunning', false);
    await running.sandbox.close();
  }

  /** Whether another window runs a sandbox at this origin. */
  runsElsewhere(origin: string | undefined): boolean {
    const pid = origin === undefined ? undefined : this.#marks?.read(markOf(origin));
    return pid !== undefined && Number(pid) !== process.pid && hasProcess(Number(pid));
  }

  /** Shows the requests as the sandbox received them, and its webhook deliveries. */
  async showRequests(): Promise<void> {
    await this.#documents.show(`/${vscode.l10n.t('Sandbox Requests')}`, { language: REQUESTS_LANGUAGE });
  }

  dispose(): void {
    void this.#running?.then(({ sandbox, dataset }) => {
      this.#updateMarks((marks) => marks.remove(markOf(dataset.baseUrl.origin)));
      return sandbox.close();
    });
  }

  async #start(profile: SandboxProfileId): Promise<Running> {
    const { startSandbox } = await import('../../sandbox/sandbox');
    const refresh = () => this.#documents.refresh();
    const sandbox = await startSandbox({ profile, l10n: vscode.l10n, onRequest: refresh, onDelivery: refresh });
    this.#describe = () => describeRequests(sandbox.records);
    const dataset = { name: SANDBOX_NAME, baseUrl: new URL(sandbox.baseUrl), contract: DEFAULT_CONTRACT };
    this.#keys.setForSession(dataset, sandbox.accessKey);
    this.#updateMarks((marks) => marks.write(markOf(dataset.baseUrl.origin), String(process.pid)));
    this.#datasets.setSandbox(dataset);
    await setContextKey('sandboxRunning', true);
    return { sandbox, dataset };
  }

  #updateMarks(update: (marks: SharedMarks) => void): void {
    try {
      if (this.#marks !== undefined) update(this.#marks);
    } catch {
      // The sandbox works without the mark; only the rows of other windows depend on it.
    }
  }
}

function markOf(origin: string): string {
  return `sandbox ${origin}`;
}
