import { l10n } from 'vscode';
import type { Services } from '../services/services';
import { chooseKeyOwner } from './chooseDataset';
import { enterAccessKey } from './enterAccessKey';
import { testConnectionAction } from './findDataset';

/** Asks for a dataset's access key and replaces the current one. */
export async function setAccessKey(services: Services, target: unknown): Promise<void> {
  const dataset = await chooseKeyOwner(services, target, l10n.t('Set Access Key'));
  if (dataset === undefined || (await enterAccessKey(services, dataset)) === undefined) return;
  const message = l10n.t("The access key of dataset '{0}' was set.", dataset.name);
  await services.messages.done(message, testConnectionAction(dataset));
}
