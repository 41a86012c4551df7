import { commands, l10n } from 'vscode';
import type { Dataset } from '../../../service/contract/dataset';
import type { Action } from '../../platform/userError';
import type { Services } from '../../services/services';
import { importFilesActions, testConnectionAction } from '../findDataset';

/** Says that a dataset was added, and offers what comes next. */
export async function reportAdded(
  { datasets, keys, messages }: Pick<Services, 'datasets' | 'keys' | 'messages'>,
  dataset: Dataset | undefined,
): Promise<void> {
  if (dataset === undefined) return;
  const { name, baseUrl } = dataset;
  await datasets.noteUse(dataset);
  const run = (label: string, command: string): Action => ({
    label,
    run: () => commands.executeCommand(`datasetImport.${command}`, { dataset }),
  });
  const setDefault = datasets.default === dataset ? [] : [run(l10n.t('Set as Default'), 'makeDefaultDataset')];
  const rename = name === baseUrl.host ? [run(l10n.t('Rename…'), 'renameDataset')] : [];
  // A message has room for three buttons.
  const show = (message: string, ...actions: Action[]) => messages.done(message, ...actions.slice(0, 3));
  if ((await keys.get(dataset)) === undefined) {
    const setKey = run(l10n.t('Set Access Key…'), 'setAccessKey');
    const message = l10n.t("Dataset '{0}' added. Its access key is not set yet.", name);
    return show(message, setKey, ...setDefault, ...rename);
  }
  const test = testConnectionAction(dataset);
  await show(
    l10n.t("Dataset '{0}' added.", name),
    test,
    ...setDefault,
    ...importFilesActions({ datasets }, dataset),
    ...rename,
  );
}
