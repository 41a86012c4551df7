import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import { readTypedBaseUrl } from '../../service/contract/baseUrl';
import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import { commandAction, commandTitle, dialogTitle, UserError } from '../platform/actions';
import type { Services } from '../services';
import { baseUrlText, type Datasets } from './datasets';
import { askAccessKey, storeAccessKey } from './enterAccessKey';
import { assertNoFault, type DatasetNode, givenDataset } from './findDataset';
import { faultError, formatBaseUrl } from './formatFaults';

type Choosing = Pick<Services, 'datasets' | 'keys' | 'picks' | 'sandbox'>;

type Choice = QuickPickItem & { choose(): Promise<Dataset | undefined> };

/** Returns the clicked row's dataset or the default dataset. If there is neither, lets the user pick or add one. */
export async function chooseDataset(
  services: Choosing,
  node: DatasetNode | undefined,
  title: string,
): Promise<Dataset | undefined> {
  const { datasets } = services;
  const dataset = givenDataset(services, node) ?? datasets.default;
  if (dataset !== undefined) return dataset;
  // If the dataset the user wants is invalid, report that instead of offering a different one.
  const wanted = datasets.missingDefault ?? (datasets.all.length === 0 ? datasets.faults[0]?.dataset : undefined);
  if (wanted !== undefined) assertNoFault(datasets, wanted);
  return pickDataset(services, title);
}

/** Lets the user pick or add a dataset. */
export async function pickDataset(services: Choosing, title: string): Promise<Dataset | undefined> {
  const { datasets, picks } = services;
  const choices = [...datasets.all.map((dataset) => choiceOf(datasets, dataset)), ...newChoices(services)];
  return (await picks.one(choices, { title, placeHolder: formatReason(datasets) }))?.choose();
}

/**
 * Returns the clicked row's dataset or the only dataset in the settings. If there is more than one, lets the user pick.
 * @throws UserError if there are no valid datasets in the settings, or if the user clicked the sandbox
 */
export async function chooseOwnDataset(
  services: Choosing,
  node: DatasetNode | undefined,
  title: string,
): Promise<Dataset | undefined> {
  const { datasets, picks } = services;
  const given = givenDataset(services, node);
  if (given !== undefined && datasets.isSandbox(given))
    throw new UserError(l10n.t('The sandbox cannot be changed. It is listed only while it is running.'));
  const own = given === undefined ? datasets.all.filter((dataset) => !datasets.isSandbox(dataset)) : [given];
  if (own.length === 0 && datasets.faults[0] !== undefined) throw faultError(datasets.faults[0]);
  if (own.length === 0) throw new UserError(l10n.t('No dataset is set up yet.'), [commandAction('addDataset')]);
  if (given !== undefined || own.length + datasets.faults.length === 1) return own[0];
  const choices = own.map((dataset) => choiceOf(datasets, dataset));
  return (await picks.one(choices, { title, placeHolder: l10n.t('Select a dataset') }))?.choose();
}

/**
 * Asks for a base URL, an access key (which can be added later) and a name, and adds the dataset to the user's
 * settings. Returns undefined if the user cancels.
 */
export async function enterDataset(services: Omit<Choosing, 'sandbox'>): Promise<Dataset | undefined> {
  const { datasets, picks, keys } = services;
  const title = dialogTitle('addDataset');
  const typed = await picks.text({
    title,
    prompt: l10n.t('Enter the base URL of the service.'),
    placeHolder: 'https://import.example.com',
    validateInput: (text) => {
      const read = readTypedBaseUrl(text);
      return 'fault' in read ? formatBaseUrl(read.fault) : undefined;
    },
    note: formatReading,
  });
  const read = readTypedBaseUrl(typed ?? '');
  if ('fault' in read) return undefined;
  const { url: baseUrl } = read;
  const key = await askAccessKey(picks, title, baseUrl, l10n.t('Leave empty to add it later.'));
  if (key === undefined) return undefined;
  const name = await askName(services, title, datasets.nameFault(baseUrl.host) === undefined ? baseUrl.host : '');
  if (name === undefined) return undefined;
  await datasets.add({ name, baseUrl: baseUrlText(baseUrl) });
  return key === '' || (await storeAccessKey(keys, { name, baseUrl }, key)) ? datasets.find(name) : undefined;
}

/** Asks for a dataset name that isn't in use. `suggested` may be the dataset's current name. */
export async function askName(
  { datasets, picks }: Pick<Services, 'datasets' | 'picks'>,
  title: string,
  suggested: string,
): Promise<string | undefined> {
  const current = datasets.find(suggested)?.name;
  const typed = await picks.text({
    title,
    prompt: l10n.t('Enter a name for the dataset.'),
    placeHolder: l10n.t('Product manuals'),
    value: suggested,
    validateInput: (text) => {
      const name = text.trim();
      if (name === '') return l10n.t('Enter a name.');
      return name === current ? undefined : datasets.nameFault(name);
    },
  });
  return typed?.trim();
}

/** Shows how we interpret the base URL if that differs from what the user typed. */
function formatReading(typed: string): string | undefined {
  const read = readTypedBaseUrl(typed);
  if ('fault' in read) return undefined;
  const text = baseUrlText(read.url);
  return typed.trim().replace(/\/+$/, '') === text ? undefined : l10n.t('The base URL is {0}.', text);
}

/**
 * Offers to add a dataset. Also offers to start the sandbox if there are no datasets or if the sandbox is the default
 * but isn't running.
 */
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
  return datasets.all.length === 0 || datasets.missingDefault === SANDBOX_NAME ? [add, trySandbox] : [add];
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

/** Explains why the user has to pick a dataset. */
function formatReason({ all, missingDefault }: Datasets): string {
  if (missingDefault !== undefined)
    return l10n.t("The default dataset '{0}' cannot be used. Select a dataset", missingDefault);
  return all.length === 0 ? l10n.t('No dataset is set up yet') : l10n.t('Select a dataset');
}
