import { EventEmitter } from 'vscode';
import { AccessKeys } from '../../src/editor/datasets/accessKeys';
import { Datasets } from '../../src/editor/datasets/datasets';
import type { DatasetsSetting } from '../../src/editor/platform/settings';
import type { DatasetSetting } from '../../src/service/contract/dataset';
import { KnownKeys } from '../../src/service/masking/mask';
import { MemoryMemento, MemorySecrets } from './memoryStorage';

/** An in-memory replacement for the datasets setting, because VS Code is slow to write settings. */
export class MemoryDatasets implements DatasetsSetting {
  #value: unknown;
  readonly #changed = new EventEmitter<void>();
  readonly onChange = this.#changed.event;

  read(): unknown {
    return this.#value;
  }

  async save(datasets: readonly DatasetSetting[]): Promise<void> {
    this.set(datasets);
  }

  /** The value may be invalid, because the user can edit settings.json. */
  set(value: unknown): void {
    this.#value = structuredClone(value);
    this.#changed.fire();
  }
}

/** In-memory datasets and their keys. */
export interface OwnDatasets {
  readonly setting: MemoryDatasets;
  readonly secrets: MemorySecrets;
  readonly knownKeys: KnownKeys;
  readonly keys: AccessKeys;
  readonly datasets: Datasets;
  readonly workspaceState: MemoryMemento;
  dispose(): void;
}

/** Creates datasets from the setting's value. */
export function ownDatasets(value?: unknown): OwnDatasets {
  const setting = new MemoryDatasets();
  setting.set(value);
  const knownKeys = new KnownKeys();
  const secrets = new MemorySecrets();
  const keys = new AccessKeys(secrets, knownKeys);
  const workspaceState = new MemoryMemento();
  const datasets = new Datasets(keys, workspaceState, new MemoryMemento(), setting);
  const dispose = () => {
    for (const part of [datasets, keys]) part.dispose();
  };
  return { setting, secrets, knownKeys, keys, datasets, workspaceState, dispose };
}
