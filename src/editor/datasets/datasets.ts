import * as vscode from 'vscode';
import type { Contract } from '../../service/contract/contract';
import { readContract, withOverride } from '../../service/contract/contractOverrides';
import type { Dataset, DatasetFault, DatasetSetting } from '../../service/contract/dataset';
import { nameOf, readDatasets, SANDBOX_NAME } from '../../service/contract/dataset';
import type { Target } from '../../service/request/requests';
import { type Destination, isAt } from '../../tasks/store/model';
import { SerialQueue } from '../../tasks/timing/serialQueue';
import { UserError } from '../platform/actions';
import { type DatasetsSetting, userDatasets } from '../platform/settings';
import type { AccessKeys, KeyOwner } from './accessKeys';
import { faultError } from './formatFaults';

const DEFAULT_DATASET = 'defaultDataset';

/** A webhook URL that was sent to a service. It counts as verified once the service has confirmed it. */
export interface Webhook {
  readonly url: string;
  readonly isVerified: boolean;
}

/**
 * The datasets in the user's settings, the sandbox while it is running, this workspace's default dataset, and the
 * webhooks.
 */
export class Datasets implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #changes = new SerialQueue();
  #read: ReturnType<typeof readDatasets>;
  #sandbox: Dataset | undefined;
  #sandboxOverrides: unknown;
  /**
   * Fires when a dataset, its key, its webhook or the default changes, and when the user runs Forget Imported Files.
   */
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly keys: AccessKeys,
    private readonly workspaceState: vscode.Memento,

    /** VS Code's global state, which all windows share. */
    private readonly memory: vscode.Memento,
    private readonly setting: DatasetsSetting = userDatasets,
  ) {
    this.#read = readDatasets(setting.read());
    this.#subscriptions = [setting.onChange(() => this.#reload()), keys.onDidChange(() => this.#changed.fire())];
  }

  /** All usable datasets, with the sandbox last. */
  get all(): readonly Dataset[] {
    return this.#sandbox === undefined ? this.#read.datasets : [...this.#read.datasets, this.#sandbox];
  }

  /** The invalid entries in the setting. */
  get faults(): readonly DatasetFault[] {
    return this.#read.faults;
  }

  /**
   * The dataset that was chosen for this workspace or, if none was chosen, the only dataset. Invalid datasets count,
   * too, so that no dataset becomes the default because another one became invalid.
   */
  get default(): Dataset | undefined {
    const chosen = this.#chosenName;
    if (chosen !== undefined) return this.find(chosen);
    return this.all.length + this.faults.length === 1 ? this.all[0] : undefined;
  }

  /** The name of this workspace's chosen dataset if it can't be used. We never use a different one without asking. */
  get missingDefault(): string | undefined {
    return this.default === undefined ? this.#chosenName : undefined;
  }

  find(name: string): Dataset | undefined {
    return this.all.find((dataset) => dataset.name === name);
  }

  /** Returns undefined if the dataset doesn't exist or has no key. */
  async target(name: string): Promise<Target | undefined> {
    const dataset = this.find(name);
    const accessKey = dataset && (await this.keys.get(dataset));
    if (dataset === undefined || accessKey === undefined) return undefined;
    return { baseUrl: dataset.baseUrl, contract: dataset.contract, accessKey };
  }

  /** Returns undefined if the dataset no longer exists or now has a different origin. */
  contractOf(destination: Destination): Contract | undefined {
    const dataset = this.find(destination.dataset);
    return dataset !== undefined && isAt(destination, dataset.baseUrl) ? dataset.contract : undefined;
  }

  /** Makes a dataset this workspace's default. */
  async setDefault({ name }: Dataset): Promise<void> {
    await this.workspaceState.update(DEFAULT_DATASET, name);
    this.#changed.fire();
  }

  /**
   * Explains why a dataset can't have this name, or returns undefined if it can. The names of invalid entries count as
   * taken, too.
   * @throws UserError if the setting is not a list
   */
  nameFault(name: string): string | undefined {
    const isTaken = this.#entries().some((entry) => nameOf(entry) === name);
    if (name === SANDBOX_NAME) return vscode.l10n.t("The name '{0}' is reserved for the sandbox.", name);
    return isTaken ? vscode.l10n.t("A dataset named '{0}' already exists.", name) : undefined;
  }

  /** Adds a dataset to the user's settings. @throws UserError if its name isn't available */
  async add(dataset: DatasetSetting): Promise<void> {
    await this.#change((entries) => {
      this.#assertFree(dataset.name.trim());
      return [...entries, dataset];
    });
  }

  /**
   * Renames a dataset. The dataset keeps its webhook and, if it was this workspace's default, remains the default.
   * @throws UserError if the name isn't available
   */
  async rename(dataset: Dataset, name: string): Promise<void> {
    const isDefault = this.#chosenName === dataset.name;
    await this.#changeEntry(dataset.name, (entry) => {
      this.#assertFree(name);
      return { ...entry, name };
    });
    await this.setWebhook({ ...dataset, name }, this.webhookOf(dataset));
    await this.setWebhook(dataset, undefined);
    if (isDefault) await this.setDefault(this.#get(name));
  }

  /**
   * Removes a dataset, its key and its webhook from VS Code. It is no longer this workspace's default.
   * @throws UserError if SecretStorage fails, or VS Code's error if the settings can't be saved
   */
  async remove(dataset: Dataset): Promise<void> {
    // Fails if the settings can't be saved, for example because of unsaved changes. The dataset must then keep its key.
    await this.#change((entries) => entries);
    await this.keys.clear(dataset);
    await this.#change((entries) => entries.filter((entry) => entry !== usedEntry(dataset.name, entries)));
    if (this.#chosenName === dataset.name) await this.workspaceState.update(DEFAULT_DATASET, undefined);
    await this.setWebhook(dataset, undefined);
  }

  /** A dataset's contract overrides, which may be invalid. The sandbox's overrides are kept in memory. */
  overrides(dataset: Dataset): unknown {
    return this.isSandbox(dataset) ? this.#sandboxOverrides : usedEntry(dataset.name, this.#entries())?.contract;
  }

  /**
   * Overrides part of a dataset's contract, or resets that part if `value` is undefined. Returns the changed dataset.
   * @throws UserError if the dataset no longer exists
   */
  async override({ name }: Dataset, at: readonly string[], value: unknown): Promise<Dataset> {
    const dataset = this.#get(name);
    if (this.isSandbox(dataset)) {
      this.#sandboxOverrides = withOverride(this.#sandboxOverrides, at, value);
      this.setSandbox({ ...dataset, contract: readContract(this.#sandboxOverrides).contract });
    } else {
      await this.#changeEntry(name, (entry) => ({ ...entry, contract: withOverride(entry.contract, at, value) }));
    }
    return this.#get(name);
  }

  /** The webhook that was last set. We store it because the service has no operation to read it. */
  webhookOf(owner: KeyOwner): Webhook | undefined {
    return this.memory.get<Webhook>(webhookSlot(owner));
  }

  async setWebhook(owner: KeyOwner, webhook: Webhook | undefined): Promise<void> {
    await this.memory.update(webhookSlot(owner), webhook);
    this.#changed.fire();
  }

  /** Call this when the user has run Forget Imported Files. */
  noteForgotten(): void {
    this.#changed.fire();
  }

  /** Adds the running sandbox, or removes it if `sandbox` is undefined. */
  setSandbox(sandbox: Dataset | undefined): void {
    if (sandbox === undefined) this.#sandboxOverrides = undefined;
    this.#sandbox = sandbox;
    this.#changed.fire();
  }

  isSandbox(dataset: Dataset): boolean {
    return dataset.baseUrl === this.#sandbox?.baseUrl;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  get #chosenName(): string | undefined {
    return this.workspaceState.get<string>(DEFAULT_DATASET);
  }

  #get(name: string): Dataset {
    const dataset = this.find(name);
    if (dataset === undefined) throw noLongerExists(name);
    return dataset;
  }

  #assertFree(name: string): void {
    const fault = this.nameFault(name);
    if (fault !== undefined) throw new UserError(fault);
  }

  /** Saves the entries returned by `update`. Changes run one at a time. @throws any error that `update` throws */
  async #change(update: (entries: readonly DatasetSetting[]) => readonly DatasetSetting[]): Promise<void> {
    await this.#changes.run(async () => this.setting.save(update(this.#entries())));
    this.#reload();
  }

  async #changeEntry(name: string, change: (entry: DatasetSetting) => DatasetSetting): Promise<void> {
    await this.#change((entries) => {
      const used = usedEntry(name, entries);
      if (used === undefined) throw noLongerExists(name);
      return entries.map((entry) => (entry === used ? change(entry) : entry));
    });
  }

  /** The setting's entries, which may be invalid. @throws UserError if the setting is not a list */
  #entries(): readonly DatasetSetting[] {
    const setting = this.setting.read() ?? [];
    if (Array.isArray(setting)) return setting;
    throw faultError({ dataset: '', at: '', reason: 'invalid' });
  }

  #reload(): void {
    this.#read = readDatasets(this.setting.read());
    this.#changed.fire();
  }
}

function webhookSlot({ name, baseUrl }: KeyOwner): string {
  return JSON.stringify(['webhook', name, baseUrl.origin]);
}

/** Formats a base URL the way it appears in the settings. */
export function baseUrlText({ href }: URL): string {
  return href.replace(/\/$/, '');
}

function noLongerExists(name: string): UserError {
  return new UserError(vscode.l10n.t("Dataset '{0}' no longer exists. Nothing was saved.", name));
}

/** The entry that a dataset is read from: the first valid one with its name. */
function usedEntry(name: string, entries: readonly DatasetSetting[]): DatasetSetting | undefined {
  return entries.find((entry) => readDatasets([entry]).datasets[0]?.name === name);
}
