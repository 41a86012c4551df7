import { l10n, type QuickInputButton, type QuickPickItem, ThemeIcon } from 'vscode';
import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import { commandTitle } from '../platform/commandTitle';
import { commandAction, UserError } from '../platform/userError';
import type { Services } from '../services';
import { enterDataset } from './addDataset';
import type { Datasets } from './datasets';
import { assertNoFault, type DatasetNode, givenDataset } from './findDataset';

type Choosing = Pick<Services, 'datasets' | 'keys' | 'picks' | 'sandbox'>;

type Choice = QuickPickItem & { choose(): Promise<Dataset | undefined> };

/** The dataset of the clicked row, or the default, or one that the user picks or adds. */
export async function chooseDataset(
  services: Choosing,
  node: DatasetNode | undefined,
  title: string,
): Promise<Dataset | undefined> {
  const { datasets } = services;
  const dataset = givenDataset(services, node) ?? datasets.default;
  if (dataset !== undefined) return dataset;
  // If the dataset that the user wants is invalid, say so instead of offering another one.
  const meant = datasets.missingDefault ?? (datasets.all.length === 0 ? datasets.faults[0]?.dataset : undefined);
  if (meant !== undefined) assertNoFault(datasets, meant);
  return pickDataset(services, title);
}

/** Lets the user pick or add a dataset. A dataset's pin button also makes it the workspace's default. */
export async function pickDataset(services: Choosing, title: string): Promise<Dataset | undefined> {
  const { datasets, picks } = services;
  const pin: QuickInputButton = {
    iconPath: new ThemeIcon('pin'),
    tooltip: l10n.t('Select and Remember for This Workspace'),
  };
  const known = datasets.byLastUse.map((dataset) => ({ ...choiceOf(datasets, dataset), buttons: [pin] }));
  const rows: Choice[] = [...known, ...newChoices(services)];
  let chosen: Choice | undefined;
  let isPinned = false;
  await picks.table<Choice>({
    title,
    placeHolder: formatReason(datasets),
    rows: () => rows,
    isActive: (row) => row === rows[0],
    choose: (row, button) => {
      chosen = row;
      isPinned = button !== undefined;
      return true;
    },
  });
  const dataset = await chosen?.choose();
  if (dataset === undefined) return undefined;
  await datasets.noteUse(dataset);
  if (isPinned) await datasets.setDefault(dataset);
  return dataset;
}

/** The clicked row's dataset, or a dataset from the settings that the user picks. @throws UserError if there is none */
export async function chooseOwnDataset(
  services: Choosing,
  node: DatasetNode | undefined,
  title: string,
): Promise<Dataset | undefined> {
  const { datasets } = services;
  const given = givenDataset(services, node);
  if (given !== undefined) return given;
  const own = datasets.byLastUse.filter((dataset) => !datasets.isSandbox(dataset));
  if (own.length === 0) throw new UserError(l10n.t('No dataset is set up yet.'), [commandAction('addDataset')]);
  const choices = own.map((dataset) => choiceOf(datasets, dataset));
  const placeHolder = l10n.t('Select a dataset');
  return (await services.picks.one(choices, { title, placeHolder, ignoreFocusOut: true }))?.choose();
}

/** Choices to add a dataset and, if there is no dataset or the sandbox is the default, to start the sandbox. */
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
    // By default, a dataset is named after its host.
    description: name === baseUrl.host ? '' : baseUrl.host,
    choose: async () => dataset,
  };
}

/** Says why the user must choose a dataset. */
function formatReason({ all, missingDefault }: Datasets): string {
  if (missingDefault === SANDBOX_NAME)
    return l10n.t('The default dataset is the sandbox, which is stopped. Select a dataset');
  if (missingDefault !== undefined) {
    return l10n.t("The default dataset '{0}' cannot be used. Select a dataset", missingDefault);
  }
  return all.length === 0 ? l10n.t('No dataset is set up yet') : l10n.t('Select a dataset');
}
