import { l10n } from 'vscode';
import type { DatasetSetting } from '../../service/contract/dataset';
import { SerialQueue } from '../../tasks/timing/serialQueue';
import { datasetsSetting, openDatasetsSetting, saveDatasetsSetting } from '../platform/settings';
import { UserError } from '../platform/userError';

/** The entries of the user's setting, which may be invalid. Changes are made one after another. */
export class DatasetEntries {
  readonly #changes = new SerialQueue();

  /** @throws UserError where the setting is not a list */
  read(): readonly DatasetSetting[] {
    const setting = datasetsSetting() ?? [];
    if (Array.isArray(setting)) return setting;
    throw new UserError(l10n.t("The setting 'datasetImport.datasets' must be a list. Correct it first."), [
      { label: l10n.t('Open Dataset Settings'), run: openDatasetsSetting },
    ]);
  }

  /** The entry of this name, valid or not. @throws UserError where the setting is not a list */
  find(name: string): DatasetSetting | undefined {
    return this.read().find((entry) => isNamed(name, entry));
  }

  /** Writes the entries that `update` returns. @throws what `update` throws */
  change(update: (entries: readonly DatasetSetting[]) => readonly DatasetSetting[]): Promise<void> {
    return this.#changes.run(async () => saveDatasetsSetting(update(this.read())));
  }
}

/** Whether an entry, valid or not, has this name. */
export function isNamed(name: string, entry: DatasetSetting): boolean {
  return entry?.name?.trim?.() === name;
}
