import { l10n } from 'vscode';
import type { Services } from '../services/services';
import { pickDataset } from './chooseDataset';
import { givenDataset } from './findDataset';

/** Makes the clicked dataset, or one that the user picks, the default of this workspace. */
export async function selectDefaultDataset(services: Services, target: unknown): Promise<void> {
  const dataset = givenDataset(services, target) ?? (await pickDataset(services, l10n.t('Select Default Dataset')));
  if (dataset !== undefined) await services.datasets.setDefault(dataset);
}
