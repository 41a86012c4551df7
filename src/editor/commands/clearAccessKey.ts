import { l10n } from 'vscode';
import { type ChooseDeps, chooseKeyOwner } from '../chooseDataset';
import { window } from '../window';

/** Forgets a dataset's access key, and those for origins that it had before, after asking. */
export async function clearAccessKey(deps: ChooseDeps, target: unknown): Promise<void> {
  const dataset = await chooseKeyOwner(deps, target, l10n.t('Clear Access-Key'));
  if (dataset === undefined) return;
  const clear = l10n.t('Clear Access-Key');
  const question = l10n.t(
    "Forget the Access-Key of dataset '{0}'? It will be asked for at the next import.",
    dataset.name,
  );
  if ((await window.showWarningMessage(question, { modal: true }, clear)) === clear) await deps.keys.clear(dataset);
}
