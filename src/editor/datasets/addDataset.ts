import { l10n } from 'vscode';
import { readTypedBaseUrl } from '../../service/contract/baseUrl';
import type { Dataset } from '../../service/contract/dataset';
import { dialogTitle } from '../platform/commandTitle';
import { commandAction } from '../platform/userError';
import type { Services } from '../services';
import type { Datasets } from './datasets';
import { askAccessKey, storeAccessKey } from './enterAccessKey';
import { importFilesActions } from './findDataset';
import { formatBaseUrl } from './formatFaults';

/** Lets the user enter a dataset, adds it, and offers the next steps. */
export async function addDataset(services: Pick<Services, 'datasets' | 'keys' | 'picks' | 'messages'>): Promise<void> {
  const { datasets, keys, messages } = services;
  const dataset = await enterDataset(services);
  if (dataset === undefined) return;
  await datasets.noteUse(dataset);
  const target = { dataset };
  const setDefault =
    datasets.default === dataset ? [] : [commandAction('setDefaultDataset', target, l10n.t('Set as Default'))];
  if ((await keys.get(dataset)) === undefined) {
    const message = l10n.t("Dataset '{0}' added. Its access key is not set yet.", dataset.name);
    return messages.done(message, commandAction('setAccessKey', target), ...setDefault);
  }
  const importFiles = importFilesActions(services, dataset);
  const message = l10n.t("Dataset '{0}' added.", dataset.name);
  await messages.done(message, commandAction('testConnection', target), ...setDefault, ...importFiles);
}

/**
 * Asks for a dataset's base URL, access key (which can be added later) and name, and adds the dataset to the user's
 * settings. Undefined if the user cancels.
 */
export async function enterDataset(
  services: Pick<Services, 'datasets' | 'keys' | 'picks'>,
): Promise<Dataset | undefined> {
  const { datasets, picks, keys } = services;
  datasets.assertCanAdd();
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
  const baseUrl = read.url;
  const key = await askAccessKey(picks, title, baseUrl, 'addLater');
  const name = key === undefined ? undefined : await askName(services, title, freeName(datasets, baseUrl));
  if (key === undefined || name === undefined) return undefined;
  await datasets.add({ name, baseUrl: baseUrlText(baseUrl) });
  const isKept = key === '' || (await storeAccessKey(keys, { name, baseUrl }, key));
  return isKept ? datasets.find(name) : undefined;
}

/** Formats a base URL as in the settings. */
export function baseUrlText({ href }: URL): string {
  return href.replace(/\/$/, '');
}

/** A note that shows the base URL if it differs from what the user typed. */
function formatReading(typed: string): string | undefined {
  const read = readTypedBaseUrl(typed);
  if ('fault' in read) return undefined;
  const { url, cut } = read;
  if (cut !== undefined) {
    return l10n.t("'{0}' belongs to an operation and is left out. The base URL is {1}.", cut, baseUrlText(url));
  }
  return typed.includes('://') ? undefined : l10n.t('The base URL is {0}.', baseUrlText(url));
}

/** Asks for a dataset name that no other dataset has. `proposed` may be the dataset's current name. */
export async function askName(
  { datasets, picks }: Pick<Services, 'datasets' | 'picks'>,
  title: string,
  proposed: string,
): Promise<string | undefined> {
  const present = datasets.find(proposed)?.name;
  const typed = await picks.text({
    title,
    prompt: l10n.t('Enter a name for the dataset.'),
    placeHolder: l10n.t('Product manuals'),
    value: proposed,
    validateInput: (text) => {
      const name = text.trim();
      if (name === '') return l10n.t('Enter a name.');
      return name === present ? undefined : datasets.nameFault(name);
    },
  });
  return typed?.trim();
}

/** The host, followed by a number if a dataset already has that name. */
function freeName(datasets: Datasets, { host }: URL): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? host : `${host} ${number}`;
    if (datasets.nameFault(name) === undefined) return name;
  }
}
