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
  const all = await store.destinations(null);
  if (all.some((one) => one.dataset === name)) return true;
  const isRemoved = (one: Destination) => whyNotServed(services, one)?.reason === 'removed';
  const before = all.findLast((one) => one.origin === baseUrl.origin && isRemoved(one))?.dataset;
  if (before === undefined) return true;
  const items = [
    { label: l10n.t('Yes, keep its tasks and its access key'), isRenamed: true },
    { label: l10n.t('No, it is a different dataset'), isRenamed: false },
  ];
  const placeHolder = l10n.t("'{0}' is no longer in the settings. Was it renamed to '{1}'?", before, name);
  const picked = await picks.one(items, { placeHolder });
  // Once the store knows the new name, the user isn't asked again.
  if (picked?.isRenamed === false) await store.destinationOf({ dataset: name, origin: baseUrl.origin });
  if (picked?.isRenamed !== true) return picked !== undefined;
  await renameTasks(services, before, name);
  await datasets.moveName({ ...dataset, name: before }, name);
  if ((await keys.get(dataset)) === undefined) await moveKey(services, { ...dataset, name: before }, name);
  return true;
}

/** @throws UserError if files are being uploaded, or if another dataset's tasks already have the new name */
export async function renameTasks({ store }: Pick<Services, 'store'>, from: string, to: string): Promise<void> {
  const result = await store.rename({ from, to });
  if (result === 'busy')
    throw new UserError(
      l10n.t('Files are being uploaded to {0}. Wait or cancel the import, then rename the dataset.', from),
    );
  if (result !== 'renamed')
    throw new UserError(l10n.t("The list has tasks of another dataset that was named '{0}'. Choose another name.", to));
}

/** Gives a renamed dataset the access key of its old name. */
export async function moveKey({ keys }: Pick<Services, 'keys'>, dataset: Dataset, name: string): Promise<void> {
  const key = await keys.get(dataset);
  if (key !== undefined && (await storeAccessKey(keys, { ...dataset, name }, key))) await keys.clear(dataset);
}
