import { l10n } from 'vscode';
import { type DatasetDeps, givenDataset } from './findDataset';
import { pickDataset } from './pickDataset';

/** Asks for the default dataset of this workspace. The title menu of the view passes the focused row, which is ignored. */
export async function selectDefaultDataset(deps: DatasetDeps): Promise<void> {
  await makeDefaultDataset(deps, undefined);
}

/** Makes the clicked dataset, or one that the user picks, the default of this workspace. */
export async function makeDefaultDataset(deps: DatasetDeps, target: unknown): Promise<void> {
  const dataset = givenDataset(deps, target) ?? (await pickDataset(deps, l10n.t('Select Default Dataset')));
  if (dataset !== undefined) await deps.datasets.setDefault(dataset);
}
