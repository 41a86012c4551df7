import { l10n } from 'vscode';
import type { DatasetSetting } from '../../service/contract/dataset';
import { SerialQueue } from '../../tasks/timing/serialQueue';
import { datasetsSetting, openDatasetsSetting, saveDatasetsSetting } from '../platform/settings';
import { UserError } from '../platform/userError';

/** The entries of the user's setting as they stand there: any may be anything. Changes are made one after another. */
export class DatasetEntries {
  readonly #turns = new SerialQueue();

  /** All of them. @throws UserError where the setting is no list */
  get all(): readonly DatasetSetting[] {
    const setting = datasetsSetting() ?? [];
    if (Array.isArray(setting)) return setting;
    throw new UserError(l10n.t("The setting 'datasetImport.datasets' is not a list. Correct it first."), [
      { label: l10n.t('Open Settings'), run: openDatasetsSetting },
    ]);
  }

  /** Makes sure that entries can be added and changed. @throws UserError where the setting is no list */
  mustBeList(): void {
    this.find('');
  }

  /** The entry of this name, whether or not it can be used. @throws UserError where the setting is no list */
  find(name: string): DatasetSetting | undefined {
    return this.all.find((entry) => isNamed(name, entry));
  }

  /** Writes what `changed` makes of the entries, which it sees as the change before left them. @throws what it throws */
  change(changed: (entries: readonly DatasetSetting[]) => readonly DatasetSetting[]): Promise<void> {
    return this.#turns.run(async () => saveDatasetsSetting(changed(this.all)));
  }
}

/** Tells whether an entry of the setting, whatever it is, has this name. */
export function isNamed(name: string, entry: DatasetSetting): boolean {
  return entry?.name?.trim?.() === name;
}
