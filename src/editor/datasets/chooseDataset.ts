import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { UserError } from '../platform/userError';
import { type DatasetDeps, givenDataset } from './findDataset';
import { pickDataset, pickOwnDataset } from './pickDataset';

/** The dataset that a command was given, or the default, or the one that the user picks or adds. */
export async function chooseDataset(deps: DatasetDeps, target: unknown, title: string): Promise<Dataset | undefined> {
  return givenDataset(deps, target) ?? deps.datasets.default ?? pickDataset(deps, title);
}

/**
 * The dataset whose access key is meant: the one that a command was given, or the default, or the one that the user
 * picks; never the sandbox. @throws UserError where there is none
 */
export async function chooseKeyOwner(deps: DatasetDeps, target: unknown, title: string): Promise<Dataset | undefined> {
  const { datasets } = deps;
  const given = givenDataset(deps, target);
  if (given !== undefined && datasets.isSandbox(given)) {
    throw new UserError(l10n.t('The sandbox has an Access-Key of its own, which stays as it is.'));
  }
  const chosen = given ?? datasets.default;
  return chosen === undefined || datasets.isSandbox(chosen) ? pickOwnDataset(deps, title) : chosen;
}
