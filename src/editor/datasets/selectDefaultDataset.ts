import { l10n } from 'vscode';
import { pickDataset } from './chooseDataset';
import { type DatasetDeps, givenDataset } from './findDataset';

/** Makes the clicked dataset, or one that the user picks, the default of this workspace. */
export async function selectDefaultDataset(deps: DatasetDeps, target: unknown): Promise<void> {
  const dataset = givenDataset(deps, target) ?? (await pickDataset(deps, l10n.t('Select Default Dataset')));
  if (dataset !== undefined) await deps.datasets.setDefault(dataset);
}
