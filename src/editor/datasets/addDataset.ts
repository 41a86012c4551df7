import { l10n } from 'vscode';
import { checkBaseUrl } from '../../service/contract/baseUrl';
import type { Dataset } from '../../service/contract/dataset';
import { askAccessKey, type KeyDeps, storeAccessKey } from '../accessKeys/enterAccessKey';
import type { Picks } from '../platform/window';
import type { Datasets } from './datasets';
import { formatBaseUrl } from './formatFaults';

/** Asks for a dataset's name, base URL and access key, and adds it to the user's settings. */
export async function addDataset(deps: KeyDeps & { readonly datasets: Datasets }): Promise<Dataset | undefined> {
  deps.datasets.assertCanAdd();
  const name = await askName(deps);
  if (name === undefined) return undefined;
  const baseUrl = await askBaseUrl(deps.picks);
  if (baseUrl === undefined) return undefined;
  const owner = { name, baseUrl };
  const key = await askAccessKey(deps.picks, owner, stepTitle(3));
  if (key === undefined) return undefined;
  await deps.datasets.add({ name, baseUrl: baseUrl.href.replace(/\/$/, '') });
  return (await storeAccessKey(deps.keys, owner, key)) ? deps.datasets.find(name) : undefined;
}

async function askName({
  datasets,
  picks,
}: {
  readonly datasets: Datasets;
  readonly picks: Picks;
}): Promise<string | undefined> {
  const typed = await picks.text({
    title: stepTitle(1),
    prompt: l10n.t('A name for the dataset, as you want to see it here.'),
    placeHolder: l10n.t('Product manuals'),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const name = text.trim();
      return name === '' ? l10n.t('Enter a name.') : datasets.nameFault(name);
    },
  });
  return typed?.trim();
}

async function askBaseUrl(picks: Picks): Promise<URL | undefined> {
  const typed = await picks.text({
    title: stepTitle(2),
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

function stepTitle(step: 1 | 2 | 3): string {
  return l10n.t('Add Dataset ({0} of 3)', step);
}
