import { l10n } from 'vscode';
import { enterAccessKey } from '../accessKeys/enterAccessKey';
import { chooseKeyOwner } from './chooseDataset';
import type { DatasetDeps } from './findDataset';

/** Asks for a dataset's access key and replaces the current one. */
export async function setAccessKey(deps: DatasetDeps, target: unknown): Promise<void> {
  const dataset = await chooseKeyOwner(deps, target, l10n.t('Set Access Key'));
  if (dataset !== undefined) await enterAccessKey(deps, dataset);
}
