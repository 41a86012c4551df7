import { l10n } from 'vscode';
import { UserError } from '../../platform/userError';
import { window } from '../../platform/window';
import { pickOwnDataset } from '../chooseDataset';
import { type DatasetDeps, givenDataset } from '../findDataset';

/** Removes a dataset and its access key, after asking. */
export async function removeDataset(deps: DatasetDeps, target: unknown): Promise<void> {
  const title = l10n.t('Remove Dataset');
  const dataset = givenDataset(deps, target) ?? (await pickOwnDataset(deps, title));
  if (dataset === undefined) return;
  if (deps.datasets.isSandbox(dataset)) {
    const stop = { label: l10n.t('Stop Sandbox'), run: () => deps.sandbox.stop() };
    throw new UserError(l10n.t('The sandbox is listed while it runs. Stop it to remove it.'), [stop]);
  }
  const question = l10n.t("Remove dataset '{0}' and its access key from VS Code?", dataset.name);
  const detail = l10n.t('Nothing is deleted on the service, and the tasks stay in the list.');
  if (await window.confirm(question, detail, title)) await deps.datasets.remove(dataset);
}
