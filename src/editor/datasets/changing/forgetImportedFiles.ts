import { l10n } from 'vscode';
import { formatCount } from '../../platform/formatNumbers';
import { UserError } from '../../platform/userError';
import { window } from '../../platform/window';
import type { Services } from '../../services';
import { pickOwnDataset } from '../chooseDataset';
import { givenDataset } from '../findDataset';

/** Forgets, after asking, which contents a dataset has received: they can be imported again without a question. */
export async function forgetImportedFiles(services: Services, target: unknown): Promise<void> {
  const title = l10n.t('Forget Imported Files');
  const dataset = givenDataset(services, target) ?? (await pickOwnDataset(services, title));
  if (dataset === undefined) return;
  const { name } = dataset;
  const count = await services.contents.count(name);
  if (count === 0) throw new UserError(l10n.t('No files are remembered as imported to {0}.', name));
  const question =
    count === 1
      ? l10n.t('Forget that 1 file was imported to {0}?', name)
      : l10n.t('Forget that {0} files were imported to {1}?', formatCount(count), name);
  const detail = l10n.t(
    'If you import them again, you are not asked whether to import duplicates. The tasks stay in the list, and nothing is deleted on the service.',
  );
  if (!(await window.confirm(question, detail, title))) return;
  await services.contents.forget(name);
  services.datasets.noteFilesChange();
}
