import { l10n } from 'vscode';
import { dialogTitle } from '../platform/commandTitle';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services';
import { pickOwnDataset } from './chooseDataset';
import { givenDataset } from './findDataset';

/** Forgets what a dataset has received, after asking: the same contents can be imported again without a question. */
export async function forgetImportedFiles(services: Services, target: unknown): Promise<void> {
  const { store, datasets } = services;
  const title = dialogTitle('forgetImportedFiles');
  const dataset = givenDataset(services, target) ?? (await pickOwnDataset(services, title));
  if (dataset === undefined) return;
  const { name } = dataset;
  const question = l10n.t('Forget which files were uploaded to {0}?', name);
  const detail = l10n.t(
    'If you import them again, you are not asked whether to upload duplicates. The tasks stay in the list, and nothing is deleted on the service.',
  );
  if (!(await window.confirm(question, detail, title))) return;
  let forgotten = 0;
  for (const destination of await store.destinations(null))
    if (destination.dataset === name) forgotten += await store.forget(destination);
  if (forgotten === 0) throw new UserError(l10n.t('No uploaded files are remembered for {0}.', name));
  datasets.noteFilesChange();
}
