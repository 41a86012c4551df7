import { l10n } from 'vscode';
import { commandTitle, dialogTitle } from '../platform/commandTitle';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services';
import { pickOwnDataset } from './chooseDataset';
import { givenDataset } from './findDataset';

/** Removes a dataset and its access key, after asking. */
export async function removeDataset(services: Services, target: unknown): Promise<void> {
  const title = dialogTitle('removeDataset');
  const dataset = givenDataset(services, target) ?? (await pickOwnDataset(services, title));
  if (dataset === undefined) return;
  if (services.datasets.isSandbox(dataset)) {
    const stop = { label: commandTitle('stopSandbox'), run: () => services.sandbox.stop() };
    throw new UserError(l10n.t('The sandbox is listed while it runs. Stop it to remove it.'), [stop]);
  }
  const question = l10n.t("Remove dataset '{0}' and its access key from VS Code?", dataset.name);
  const detail = l10n.t('Nothing is deleted on the service, and the tasks stay in the list.');
  if (await window.confirm(question, detail, title)) await services.datasets.remove(dataset);
}
