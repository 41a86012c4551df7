import * as vscode from 'vscode';
import type { Contract } from '../../service/contract/contract';
import { readContract, withOverride } from '../../service/contract/contractOverrides';
import {
  type Dataset,
  type DatasetFault,
  type DatasetSetting,
  readDatasets,
  SANDBOX_NAME,
} from '../../service/contract/dataset';
import type { Target } from '../../service/request/requests';
import { type Destination, isAt } from '../../tasks/destination';
import type { SharedMarks } from '../../tasks/store/sharedMarks';
import type { AccessKeys } from '../accessKeys/accessKeys';
import { datasetsSetting, onSettingChange } from '../platform/settings';
import { UserError } from '../platform/userError';
import { DatasetEntries, isNamed } from './datasetEntries';

const DEFAULT_DATASET = 'defaultDataset';

/** The datasets of the user's settings, and the sandbox while it runs; which of them is this workspace's default. */
export class Datasets implements vscode.Disposable {
  readonly #keys: AccessKeys;
  readonly #workspaceState: vscode.Memento;
  readonly #marks: SharedMarks | undefined;
  readonly #defaultMark: string;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #entries = new DatasetEntries();
  #read = readDatasets(datasetsSetting());
  #sandbox: Dataset | undefined;
  #sandboxOverrides: unknown;
  /** Told when a dataset, its key or the default changes. */
  readonly onDidChange = this.#changed.event;

  /** `marks` are what the windows of a workspace, named by `workspace`, agree by on its default. */
  constructor(keys: AccessKeys, workspaceState: vscode.Memento, marks?: SharedMarks, workspace?: string) {
    this.#keys = keys;
    this.#workspaceState = workspaceState;
    this.#marks = workspace === undefined ? undefined : marks;
    this.#defaultMark = JSON.stringify([DEFAULT_DATASET, workspace]);
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

  /** The dataset that imports go to without asking: the workspace's choice, or where none was made the only one there is. */
  get default(): Dataset | undefined {
    const chosen = this.#chosenName;
    if (chosen !== undefined) return this.find(chosen);
    return this.all.length === 1 ? this.all[0] : undefined;
  }

  /** The name of the workspace's choice where it cannot be used: another one never takes its place unasked. */
  get missingDefault(): string | undefined {
    return this.default === undefined ? this.#chosenName : undefined;
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

  /** The origin that a dataset has now; undefined where there is no such dataset. */
  originOf(name: string): string | undefined {
    return this.find(name)?.baseUrl.origin;
  }

  /** The contract of a destination; undefined where there is no such dataset, or it is at another origin. */
  contractOf(destination: Destination): Contract | undefined {
    const dataset = this.find(destination.dataset);
    return dataset !== undefined && isAt(destination, dataset.baseUrl) ? dataset.contract : undefined;
  }

  /** Changes whenever the target of a dataset may have, in any window. */
  targetMark(name: string): string {
    const dataset = this.find(name);
    return dataset === undefined ? '' : `${dataset.baseUrl.href} ${this.#keys.mark(dataset)}`;
  }

  /** Makes a dataset this workspace's default. */
  async setDefault({ name }: Dataset): Promise<void> {
    await this.#workspaceState.update(DEFAULT_DATASET, name);
    this.#marks?.write(this.#defaultMark, name);
    this.#changed.fire();
  }

  /** Makes sure that datasets can be added, before the user types one. @throws UserError where the setting is no list */
  mustTakeMore(): void {
    this.#entries.mustBeList();
  }

  /**
   * Why no dataset of this name can be added; undefined where one can. A name that stands in the settings is taken,
   * whether or not its entry can be used. @throws UserError where the setting is no list
   */
  nameFault(name: string): string | undefined {
    const isTaken = this.#entries.find(name) !== undefined;
    if (name === SANDBOX_NAME) return vscode.l10n.t("The name '{0}' is kept for the sandbox.", name);
    return isTaken ? vscode.l10n.t("There is already a dataset '{0}'.", name) : undefined;
  }

  /** Adds a dataset to the user's settings. What else stands there stays. @throws UserError where its name is not free */
  async add(dataset: DatasetSetting): Promise<void> {
    await this.#change((entries) => {
      const fault = this.nameFault(dataset.name.trim());
      if (fault !== undefined) throw new UserError(fault);
      return [...entries, dataset];
    });
  }

  /** Removes a dataset from the user's settings, and its keys. @throws UserError where SecretStorage fails */
  async remove(dataset: Dataset): Promise<void> {
    await this.#keys.clear(dataset);
    await this.#change((entries) => entries.filter((entry) => !isNamed(dataset.name, entry)));
  }

  /** A dataset as it stands in the user's settings; the sandbox does not. No access key is in it. */
  definition(name: string): DatasetSetting | undefined {
    return this.#entries.find(name);
  }

  /** The overrides of a dataset's contract as they stand in the settings; the sandbox's stand in memory. */
  overrides(dataset: Dataset): unknown {
    return this.isSandbox(dataset) ? this.#sandboxOverrides : this.definition(dataset.name)?.contract;
  }

  /**
   * Sets a part of a dataset's contract, or takes it out where `value` is undefined; gives the dataset as it is then.
   * @throws UserError where there is no such dataset any more
   */
  async override({ name }: Dataset, at: readonly string[], value: unknown): Promise<Dataset> {
    const dataset = this.#mustBeThere(name);
    if (this.isSandbox(dataset)) {
      this.#sandboxOverrides = withOverride(this.#sandboxOverrides, at, value);
      this.setSandbox({ ...dataset, contract: readContract(this.#sandboxOverrides).contract });
    } else {
      await this.#change((entries) => {
        if (!entries.some((entry) => isNamed(name, entry))) throw goneError(name);
        return entries.map((entry) =>
          isNamed(name, entry) ? { ...entry, contract: withOverride(entry.contract, at, value) } : entry,
        );
      });
    }
    return this.#mustBeThere(name);
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

  get #chosenName(): string | undefined {
    // The state of a window does not see what another window of the same workspace has chosen since.
    return this.#marks?.read(this.#defaultMark) ?? this.#workspaceState.get<string>(DEFAULT_DATASET);
  }

  #mustBeThere(name: string): Dataset {
    const dataset = this.find(name);
    if (dataset === undefined) throw goneError(name);
    return dataset;
  }

  async #change(changed: Parameters<DatasetEntries['change']>[0]): Promise<void> {
    await this.#entries.change(changed);
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

function goneError(name: string): UserError {
  return new UserError(vscode.l10n.t("There is no dataset '{0}' any more, so nothing was saved.", name));
}
