import { l10n } from 'vscode';
import { checkBaseUrl } from '../../service/contract/baseUrl';
import type { Dataset } from '../../service/contract/dataset';
import { askAccessKey, type KeyDeps, storeAccessKey } from '../accessKeys/enterAccessKey';
import type { Picks } from '../platform/window';
import type { Datasets } from './datasets';
import { formatBaseUrl } from './formatFaults';

interface AddDeps extends KeyDeps {
  readonly datasets: Datasets;
}

/**
 * Asks for a dataset's base URL and access key, and adds it to the user's settings. It is named after its host; where
 * another one is, as each dataset of a service has a key of its own, asks for the name too.
 */
export async function addDataset(deps: AddDeps): Promise<Dataset | undefined> {
  deps.datasets.assertCanAdd();
  const title = l10n.t('Add Dataset');
  const baseUrl = await askBaseUrl(deps.picks, title);
  if (baseUrl === undefined) return undefined;
  const { host } = baseUrl;
  const name = deps.datasets.nameFault(host) === undefined ? host : await askName(deps, title);
  if (name === undefined) return undefined;
  const owner = { name, baseUrl };
  const key = await askAccessKey(deps.picks, owner, title);
  if (key === undefined) return undefined;
  await deps.datasets.add({ name, baseUrl: baseUrl.href.replace(/\/$/, '') });
  return (await storeAccessKey(deps.keys, owner, key)) ? deps.datasets.find(name) : undefined;
}

/** Asks for the name of a dataset, which no other one has. `present` is the one that it has. */
export async function askName(
  { datasets, picks }: AddDeps,
  title: string,
  present?: string,
): Promise<string | undefined> {
  const typed = await picks.text({
    title,
    prompt: l10n.t('A name for the dataset, as you want to see it here.'),
    placeHolder: l10n.t('Product manuals'),
    ...(present !== undefined && { value: present }),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const name = text.trim();
      if (name === present) return undefined;
      return name === '' ? l10n.t('Enter a name.') : datasets.nameFault(name);
    },
  });
  return typed?.trim();
}

async function askBaseUrl(picks: Picks, title: string): Promise<URL | undefined> {
  const typed = await picks.text({
    title,
    prompt: l10n.t('The base URL of the import service, without the path of an operation.'),
    placeHolder: 'https://import.example.com',
    ignoreFocusOut: true,
    validateInput: (text) => {
      const checked = checkBaseUrl(text);
      return 'fault' in checked ? formatBaseUrl(checked.fault) : undefined;
    },
  });
  const checked = checkBaseUrl(typed ?? '');
  return 'url' in checked ? checked.url : undefined;
}
