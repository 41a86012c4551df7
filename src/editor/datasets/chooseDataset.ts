import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { UserError } from '../platform/userError';
import { type DatasetDeps, givenDataset } from './findDataset';
import { pickDataset, pickOwnDataset } from './pickDataset';

/** The dataset of the clicked row, or the default, or one that the user picks or adds. */
export async function chooseDataset(deps: DatasetDeps, target: unknown, title: string): Promise<Dataset | undefined> {
  return givenDataset(deps, target) ?? deps.datasets.default ?? pickDataset(deps, title);
}

/** Like `chooseDataset`, but never the sandbox, whose access key is fixed. @throws UserError where there is none */
export async function chooseKeyOwner(deps: DatasetDeps, target: unknown, title: string): Promise<Dataset | undefined> {
  const { datasets } = deps;
  const given = givenDataset(deps, target);
  if (given !== undefined && datasets.isSandbox(given)) {
    throw new UserError(l10n.t('The sandbox has an Access-Key of its own, which stays as it is.'));
  }
  const chosen = given ?? datasets.default;
  return chosen === undefined || datasets.isSandbox(chosen) ? pickOwnDataset(deps, title) : chosen;
}
