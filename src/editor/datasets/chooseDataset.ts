import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import { UserError } from '../platform/userError';
import { addDataset } from './addDataset';
import type { Datasets } from './datasets';
import { type DatasetDeps, givenDataset } from './findDataset';

type Choice = QuickPickItem & { choose(): Promise<Dataset | undefined> };

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

/** Asks for a dataset. Offers to add one, and the sandbox where there is no dataset or the sandbox is the default. */
export async function pickDataset(deps: DatasetDeps, title: string): Promise<Dataset | undefined> {
  const { datasets, sandbox } = deps;
  const known = datasets.all.map((dataset) => choiceOf(datasets, dataset));
  const add: Choice = {
    label: l10n.t('Add Dataset…'),
    iconPath: new ThemeIcon('add'),
    detail: l10n.t('You need the base URL of the service and the Access-Key of the dataset.'),
    choose: () => addDataset(deps),
  };
  const trySandbox: Choice = {
    label: l10n.t('Try It with the Sandbox'),
    iconPath: new ThemeIcon('beaker'),
    detail: l10n.t('An import service inside VS Code: no account, and nothing leaves this machine.'),
    choose: () => sandbox.start(),
  };
  const offersSandbox = known.length === 0 || datasets.missingDefault === SANDBOX_NAME;
  const choices = [...known, add, ...(offersSandbox ? [trySandbox] : [])];
  const placeHolder = formatReason(datasets);
  return (await deps.picks.one(choices, { title, placeHolder, ignoreFocusOut: true }))?.choose();
}

/** Asks for a dataset of the settings. @throws UserError where there is none */
export async function pickOwnDataset(deps: DatasetDeps, title: string): Promise<Dataset | undefined> {
  const { datasets } = deps;
  const own = datasets.all.filter((dataset) => !datasets.isSandbox(dataset));
  if (own.length === 0) {
    throw new UserError(l10n.t('No dataset is set up yet.'), [
      { label: l10n.t('Add Dataset…'), run: () => addDataset(deps) },
    ]);
  }
  const choices = own.map((dataset) => choiceOf(datasets, dataset));
  const placeHolder = l10n.t('Choose a dataset');
  return (await deps.picks.one(choices, { title, placeHolder, ignoreFocusOut: true }))?.choose();
}

function choiceOf(datasets: Datasets, dataset: Dataset): Choice {
  return {
    label: dataset.name,
    iconPath: new ThemeIcon(datasets.isSandbox(dataset) ? 'beaker' : 'database'),
    description: dataset.baseUrl.host,
    choose: async () => dataset,
  };
}

/** Why a dataset must be chosen. */
function formatReason({ all, missingDefault }: Datasets): string {
  if (missingDefault === SANDBOX_NAME) return l10n.t('The sandbox is the default and does not run. Choose a dataset');
  if (missingDefault !== undefined) {
    return l10n.t("The default dataset '{0}' cannot be used. Choose a dataset", missingDefault);
  }
  return all.length === 0 ? l10n.t('No dataset is set up yet') : l10n.t('Choose a dataset');
}
