import { l10n } from 'vscode';
import { type ChooseDeps, pickDataset } from '../chooseDataset';
import { isDatasetNode } from '../datasetsTree';

/** Makes a dataset the one that this workspace imports to without asking. */
export async function selectDefaultDataset(deps: ChooseDeps, target: unknown): Promise<void> {
  const title = l10n.t('Select Default Dataset');
  const dataset = isDatasetNode(target) ? target.dataset : await pickDataset(deps, title);
  if (dataset !== undefined) await deps.datasets.setDefault(dataset);
}
