import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Destination } from '../../tasks/store/model';
import { UserError } from '../platform/actions';
import type { Services } from '../services';
import { ensureAccessKey, storeAccessKey } from './enterAccessKey';
import { whyNotServed } from './findDataset';

type Renaming = Pick<Services, 'datasets' | 'keys' | 'store' | 'picks'>;

/**
 * Asks what we need to know before we can send anything to a dataset: whether it was renamed, and its access key. Returns
 * false if the user cancels.
 */
export async function makeReady(services: Renaming, dataset: Dataset): Promise<boolean> {
  return (await keepTasks(services, dataset)) && (await ensureAccessKey(services, dataset)) !== undefined;
}

/**
 * If a dataset's name seems to have been changed in settings.json, asks whether it was. If so, moves the old name's
 * tasks, key and webhook to the new name. Returns false if the user cancels.
 */
async function keepTasks(services: Renaming, dataset: Dataset): Promise<boolean> {
  const { datasets, keys, store, picks } = services;
  const { name, baseUrl } = dataset;
  const { origin } = baseUrl;
  const all = await store.destinations(null);
  if (all.some((one) => one.dataset === name)) return true;
  // A dataset with another base URL may have the old name now.
  const isLost = (one: Destination) => ['removed', 'moved'].includes(whyNotServed(services, one)?.reason ?? '');
  const lost = all.filter((one) => one.origin === origin && isLost(one));
  if (lost.length === 0) return true;
  const former = lost.map(({ dataset: before }) => ({
    label: l10n.t("Yes, it was '{0}': keep its tasks and its access key", before),
    old: { ...dataset, name: before },
  }));
  const items = [...former, { label: l10n.t('No, it is a different dataset'), old: undefined }];
  const picked = await picks.one(items, { placeHolder: l10n.t("Was '{0}' renamed in the settings?", name) });
  if (picked === undefined) return false;
  const { old } = picked;
  if (old === undefined) {
    // Once the store knows the new name, the user isn't asked again.
    await store.destinationOf({ dataset: name, origin });
    return true;
  }
  const isReused = datasets.find(old.name) !== undefined;
  // As soon as the tasks have the new name, a window looks for its key.
  const hasKey = (await keys.get(dataset)) !== undefined || (await copyKey(services, old, name));
  await renameTasks(services, { from: old.name, to: name, origin: isReused ? origin : null });
  await datasets.moveName(old, name, datasets.webhookOf(dataset));
  if (hasKey && !isReused) await keys.clear(old);
  return true;
}

/**
 * Renames a dataset's tasks at one origin or, if `origin` is null, at all origins.
 * @throws UserError if files are being uploaded, or if another dataset's tasks already have the new name
 */
export async function renameTasks(
  { store }: Pick<Services, 'store'>,
  names: { readonly from: string; readonly to: string; readonly origin: string | null },
): Promise<void> {
  const { from, to } = names;
  const result = await store.rename(names);
  if (result === 'busy')
    throw new UserError(l10n.t('Files are being uploaded to {0}. Wait or cancel the import, then try again.', from));
  if (result !== 'renamed')
    throw new UserError(l10n.t("The list has tasks of another dataset that was named '{0}'. Choose another name.", to));
}

/** Gives a renamed dataset the access key of its old name. */
export async function moveKey(services: Pick<Services, 'keys'>, dataset: Dataset, name: string): Promise<void> {
  if (await copyKey(services, dataset, name)) await services.keys.clear(dataset);
}

async function copyKey({ keys }: Pick<Services, 'keys'>, dataset: Dataset, name: string): Promise<boolean> {
  const key = await keys.get(dataset);
  return key !== undefined && (await storeAccessKey(keys, { ...dataset, name }, key));
}
