import { EventEmitter } from 'vscode';
import { AccessKeys } from '../../src/editor/datasets/accessKeys';
import { Datasets } from '../../src/editor/datasets/datasets';
import type { DatasetsSetting } from '../../src/editor/platform/settings';
import type { DatasetSetting } from '../../src/service/contract/dataset';
import { KnownKeys } from '../../src/service/masking/mask';
import { MemoryMemento, MemorySecrets } from './memoryStorage';

/** A list of datasets as the user settings have it, in memory: VS Code takes long to write it. */
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

  /** As the user may write it into settings.json. */
  set(value: unknown): void {
    this.#value = structuredClone(value);
    this.#changed.fire();
  }
}

/** Datasets with their keys, all of it in memory. */
export interface OwnDatasets {
  readonly setting: MemoryDatasets;
  readonly knownKeys: KnownKeys;
  readonly keys: AccessKeys;
  readonly datasets: Datasets;
  readonly workspaceState: MemoryMemento;
  dispose(): void;
}

/** The datasets of a setting. */
export function ownDatasets(value?: unknown): OwnDatasets {
  const setting = new MemoryDatasets();
  setting.set(value);
  const knownKeys = new KnownKeys();
  const keys = new AccessKeys(new MemorySecrets(), knownKeys);
  const workspaceState = new MemoryMemento();
  const datasets = new Datasets(keys, workspaceState, setting);
  const dispose = () => {
    for (const part of [datasets, keys]) part.dispose();
  };
  return { setting, knownKeys, keys, datasets, workspaceState, dispose };
}
