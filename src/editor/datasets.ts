import * as vscode from 'vscode';
import { readContract, withOverride } from '../service/contractOverrides';
import { type Dataset, type DatasetFault, type DatasetSetting, readDatasets } from '../service/dataset';
import type { Target } from '../service/requests';
import type { AccessKeys } from './accessKeys';
import { datasetsSetting, onSettingChange, openDatasetsSetting, saveDatasetsSetting } from './settings';
import { UserError } from './userError';

const DEFAULT_DATASET = 'defaultDataset';

/** The datasets of the user's settings, and the sandbox while it runs; which of them is this workspace's default. */
export class Datasets implements vscode.Disposable {
  readonly #keys: AccessKeys;
  readonly #workspaceState: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #read = readDatasets(datasetsSetting());
  #sandbox: Dataset | undefined;
  #sandboxOverrides: unknown;
  /** Told when a dataset, its key or the default changes. */
  readonly onDidChange = this.#changed.event;

  constructor(keys: AccessKeys, workspaceState: vscode.Memento) {
    this.#keys = keys;
    this.#workspaceState = workspaceState;
    this.#subscriptions = [
      onSettingChange('datasets', () => this.#readAgain()),
      keys.onDidChange(() => this.#changed.fire()),
    ];
  }

  /** All that can be imported to, the sandbox first. */
  get all(): readonly Dataset[] {
    return this.#sandbox === undefined ? this.#read.datasets : [this.#sandbox, ...this.#read.datasets];
  }

  /** The entries of the setting that cannot be used. */
  get faults(): readonly DatasetFault[] {
    return this.#read.faults;
  }

  /** The dataset that imports go to without asking: the workspace's choice, or the only one there is. */
  get default(): Dataset | undefined {
    const chosen = this.find(this.#workspaceState.get<string>(DEFAULT_DATASET) ?? '');
    return chosen ?? (this.all.length === 1 ? this.all[0] : undefined);
  }

  /** The dataset with this name. */
  find(name: string): Dataset | undefined {
    return this.all.find((dataset) => dataset.name === name);
  }

  /** The dataset's service with its key; undefined where either is missing. */
  async target(name: string): Promise<Target | undefined> {
    const dataset = this.find(name);
    const accessKey = dataset && (await this.#keys.get(dataset));
    return dataset && accessKey !== undefined ? targetOf(dataset, accessKey) : undefined;
  }

  /** Makes a dataset this workspace's default. */
  async setDefault({ name }: Dataset): Promise<void> {
    await this.#workspaceState.update(DEFAULT_DATASET, name);
    this.#changed.fire();
  }

  /**
   * Adds a dataset to the user's settings, or replaces the one of that name. What else stands there stays.
   * @throws UserError where the setting is no list
   */
  async add(dataset: DatasetSetting): Promise<void> {
    await this.#save([...settingEntries().filter(isOther(dataset.name)), dataset]);
  }

  /** Removes a dataset from the user's settings, and its key. */
  async remove(dataset: Dataset): Promise<void> {
    await this.#keys.clear(dataset);
    await this.#save(settingEntries().filter(isOther(dataset.name)));
  }

  /** A dataset as it stands in the user's settings; the sandbox does not. No access key is in it. */
  definition(name: string): DatasetSetting | undefined {
    return settingEntries().find((entry) => !isOther(name)(entry));
  }

  /** The overrides of a dataset's contract as they stand in the settings; the sandbox's stand in memory. */
  overrides(dataset: Dataset): unknown {
    return this.isSandbox(dataset) ? this.#sandboxOverrides : this.definition(dataset.name)?.contract;
  }

  /** Sets a part of a dataset's contract, or takes it out where `value` is undefined; gives the dataset as it is then. */
  async override(dataset: Dataset, at: readonly string[], value: unknown): Promise<Dataset> {
    const contract = withOverride(this.overrides(dataset), at, value);
    if (this.isSandbox(dataset)) {
      this.#sandboxOverrides = contract;
      this.setSandbox({ ...dataset, contract: readContract(contract).contract });
    } else {
      await this.#save(
        settingEntries().map((entry) => (isOther(dataset.name)(entry) ? entry : { ...entry, contract })),
      );
    }
    return this.find(dataset.name) ?? dataset;
  }

  /** Shows or hides the running sandbox. */
  setSandbox(sandbox: Dataset | undefined): void {
    if (sandbox === undefined) this.#sandboxOverrides = undefined;
    this.#sandbox = sandbox;
    this.#changed.fire();
  }

  /** Tells whether a dataset is the running sandbox and not one of the settings. */
  isSandbox(dataset: Dataset): boolean {
    return dataset.baseUrl === this.#sandbox?.baseUrl;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  async #save(entries: readonly DatasetSetting[]): Promise<void> {
    await saveDatasetsSetting(entries);
    this.#readAgain();
  }

  #readAgain(): void {
    this.#read = readDatasets(datasetsSetting());
    this.#changed.fire();
  }
}

/** A dataset as a request needs it. */
export function targetOf({ baseUrl, contract }: Dataset, accessKey: string): Target {
  return { baseUrl, contract, accessKey };
}

/** @throws UserError where the setting is no list */
function settingEntries(): DatasetSetting[] {
  const setting = datasetsSetting() ?? [];
  if (!Array.isArray(setting)) {
    const openSettings = { label: vscode.l10n.t('Open Settings'), run: openDatasetsSetting };
    throw new UserError(vscode.l10n.t("The setting 'datasetImport.datasets' is not a list. Correct it first."), [
      openSettings,
    ]);
  }
  return setting;
}

/** Entries stand in the setting as the user wrote them: any may be anything. */
function isOther(name: string): (entry: DatasetSetting) => boolean {
  return (entry) => entry?.name?.trim?.() !== name;
}
