import { l10n, type QuickInputButton, type QuickPickItem, ThemeIcon } from 'vscode';
import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import { commandTitle, dialogTitle } from '../platform/commandTitle';
import { UserError } from '../platform/userError';
import type { Services } from '../services';
import { enterDataset } from './addDataset';
import type { Datasets } from './datasets';
import { addDatasetAction, assertNoFault, givenDataset } from './findDataset';

/** What choosing a dataset needs. */
type Choosing = Pick<Services, 'datasets' | 'keys' | 'picks' | 'sandbox'>;

type Choice = QuickPickItem & { choose(): Promise<Dataset | undefined> };

/** The dataset of the clicked row, or the default, or one that the user picks or adds. */
export async function chooseDataset(services: Choosing, target: unknown, title: string): Promise<Dataset | undefined> {
  const dataset = givenDataset(services, target) ?? services.datasets.default;
  if (dataset !== undefined) return dataset;
  const { missingDefault, all, faults } = services.datasets;
  // Another dataset is not what the user meant.
  const meant = missingDefault ?? (all.length === 0 ? faults[0]?.dataset : undefined);
  if (meant !== undefined) assertNoFault(services.datasets, meant);
  return pickAndRemember(services, title);
}

/** Like `chooseDataset`, but never the sandbox, whose access key is fixed. @throws UserError where there is none */
export async function chooseKeyOwner(services: Choosing, target: unknown, title: string): Promise<Dataset | undefined> {
  const { datasets } = services;
  const given = givenDataset(services, target);
  if (given !== undefined && datasets.isSandbox(given)) {
    throw new UserError(l10n.t('The sandbox has its own access key, which cannot be changed.'));
  }
  const chosen = given ?? datasets.default;
  return chosen === undefined || datasets.isSandbox(chosen) ? pickOwnDataset(services, title) : chosen;
}

/** Asks for a dataset. Offers to add one, and the sandbox where there is no dataset or the sandbox is the default. */
export async function pickDataset(services: Choosing, title: string): Promise<Dataset | undefined> {
  const { datasets, picks } = services;
  const choices = [...knownChoices(datasets), ...newChoices(services)];
  return (await picks.one(choices, { title, placeHolder: formatReason(datasets), ignoreFocusOut: true }))?.choose();
}

/** Asks for a dataset of the settings. @throws UserError where there is none */
export async function pickOwnDataset(services: Choosing, title: string): Promise<Dataset | undefined> {
  const { datasets } = services;
  const own = datasets.byLastUse.filter((dataset) => !datasets.isSandbox(dataset));
  if (own.length === 0) throw new UserError(l10n.t('No dataset is set up yet.'), [addDatasetAction()]);
  const choices = own.map((dataset) => choiceOf(datasets, dataset));
  const placeHolder = l10n.t('Select a dataset');
  return (await services.picks.one(choices, { title, placeHolder, ignoreFocusOut: true }))?.choose();
}

/** As {@link pickDataset}; the button of a dataset makes it the default of the workspace. */
async function pickAndRemember(services: Choosing, title: string): Promise<Dataset | undefined> {
  const { datasets, picks } = services;
  const remember: QuickInputButton = {
    iconPath: new ThemeIcon('pin'),
    tooltip: l10n.t('Select and Remember for This Workspace'),
  };
  const known = knownChoices(datasets).map((choice) => ({ ...choice, buttons: [remember] }));
  if (known.length === 0) return pickDataset(services, title);
  const rows: Choice[] = [...known, ...newChoices(services)];
  let chosen: Choice | undefined;
  let remembers = false;
  await picks.table<Choice>({
    title,
    placeHolder: formatReason(datasets),
    rows: () => rows,
    isActive: (row) => row === rows[0],
    choose: (row, button) => {
      chosen = row;
      remembers = button !== undefined;
      return true;
    },
  });
  const dataset = await chosen?.choose();
  if (dataset === undefined) return undefined;
  await datasets.noteUse(dataset);
  if (remembers) await datasets.setDefault(dataset);
  return dataset;
}

/** The sandbox is the last one. */
function knownChoices(datasets: Datasets): Choice[] {
  return datasets.byLastUse.map((dataset) => choiceOf(datasets, dataset));
}

function newChoices(services: Choosing): Choice[] {
  const { datasets, sandbox } = services;
  const add: Choice = {
    label: commandTitle('addDataset'),
    iconPath: new ThemeIcon('add'),
    detail: l10n.t('You need the base URL of the service and the access key of the dataset.'),
    choose: () => enterDataset(services),
  };
  const trySandbox: Choice = {
    label: l10n.t('Try It with the Sandbox'),
    iconPath: new ThemeIcon('beaker'),
    detail: l10n.t('An import service inside VS Code: no account needed, and nothing leaves this machine.'),
    choose: () => sandbox.start(),
  };
  const offersSandbox = datasets.all.length === 0 || datasets.missingDefault === SANDBOX_NAME;
  return offersSandbox ? [add, trySandbox] : [add];
}

function choiceOf(datasets: Datasets, dataset: Dataset): Choice {
  const { name, baseUrl } = dataset;
  return {
    label: name,
    iconPath: new ThemeIcon(datasets.isSandbox(dataset) ? 'beaker' : 'database'),
    // A dataset is named after its host until it is renamed.
    description: name === baseUrl.host ? '' : baseUrl.host,
    choose: async () => dataset,
  };
}

/** Why a dataset must be chosen. */
function formatReason({ all, missingDefault }: Datasets): string {
  if (missingDefault === SANDBOX_NAME)
    return l10n.t('The default dataset is the sandbox, which is stopped. Select a dataset');
  if (missingDefault !== undefined) {
    return l10n.t("The default dataset '{0}' cannot be used. Select a dataset", missingDefault);
  }
  return all.length === 0 ? l10n.t('No dataset is set up yet') : l10n.t('Select a dataset');
}

/** Makes the clicked dataset, or one that the user picks, the default of this workspace. */
export async function setDefaultDataset(services: Choosing, target: unknown): Promise<void> {
  const dataset = givenDataset(services, target) ?? (await pickDataset(services, dialogTitle('setDefaultDataset')));
  if (dataset !== undefined) await services.datasets.setDefault(dataset);
}
