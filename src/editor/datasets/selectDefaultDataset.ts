import { l10n } from 'vscode';
import { type DatasetDeps, givenDataset } from './findDataset';
import { pickDataset } from './pickDataset';

/** Asks which dataset this workspace shall import to without asking. The view's own menu names none, whatever is focused. */
export async function selectDefaultDataset(deps: DatasetDeps): Promise<void> {
  await makeDefaultDataset(deps, undefined);
}

/** Makes a dataset the one that this workspace imports to without asking; asks which where none is given. */
export async function makeDefaultDataset(deps: DatasetDeps, target: unknown): Promise<void> {
  const dataset = givenDataset(deps, target) ?? (await pickDataset(deps, l10n.t('Select Default Dataset')));
  if (dataset !== undefined) await deps.datasets.setDefault(dataset);
}
