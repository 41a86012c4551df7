import { env, l10n } from 'vscode';
import { checkBaseUrl } from '../../service/contract/baseUrl';
import { type Dataset, type DatasetSetting, readDatasets } from '../../service/contract/dataset';
import { askAccessKey, storeAccessKey } from '../accessKeys/enterAccessKey';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { pickOwnDataset } from './chooseDataset';
import { type DatasetDeps, givenDataset } from './findDataset';
import { formatDefinitionFault } from './formatFaults';

/** Copies a dataset's name, base URL and contract, without its access key. */
export async function copyDatasetDefinition(deps: DatasetDeps, target: unknown): Promise<void> {
  const title = l10n.t('Copy Dataset Definition');
  const dataset = givenDataset(deps, target) ?? (await pickOwnDataset(deps, title));
  if (dataset === undefined) return;
  if (deps.datasets.isSandbox(dataset)) {
    throw new UserError(l10n.t('The sandbox runs in this window alone, so its definition is of no use elsewhere.'));
  }
  await env.clipboard.writeText(`${JSON.stringify(deps.datasets.definition(dataset.name), undefined, 2)}\n`);
  window.setStatusBarMessage(l10n.t("Definition of '{0}' copied, without its Access-Key", dataset.name), 5000);
}

/** Validates the definition in the clipboard, asks for its access key, and adds the dataset. */
export async function addDatasetFromClipboard(deps: DatasetDeps): Promise<Dataset | undefined> {
  const copied = definitionIn(await env.clipboard.readText());
  const { datasets, faults } = readDatasets([copied]);
  const [dataset] = datasets;
  const [fault] = faults;
  if (fault !== undefined) throw new UserError(formatDefinitionFault(fault));
  if (dataset === undefined) return undefined;
  const nameFault = deps.datasets.nameFault(dataset.name);
  if (nameFault !== undefined) throw new UserError(nameFault);
  // Only the user can allow plain http, not the author of the definition.
  const { allowHttp: _, ...definition } = copied;
  const needsHttp = 'fault' in checkBaseUrl(definition.baseUrl);
  if (needsHttp && !(await confirmHttp(dataset))) return undefined;
  const key = await askAccessKey(deps.picks, dataset);
  if (key === undefined) return undefined;
  await deps.datasets.add(needsHttp ? { ...definition, allowHttp: true } : definition);
  return (await storeAccessKey(deps.keys, dataset, key)) ? deps.datasets.find(dataset.name) : undefined;
}

function confirmHttp({ name, baseUrl }: Dataset): Promise<boolean> {
  const question = l10n.t("Add dataset '{0}', which is reached over plain http?", name);
  const detail = l10n.t(
    'Its Access-Key and your files would go unencrypted to {0}: whoever sees the network could read and change them.',
    baseUrl.host,
  );
  return window.confirm(question, detail, l10n.t('Allow Plain http'));
}

function definitionIn(text: string): DatasetSetting {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'baseUrl' in value) return value as never;
  } catch {
    // Text that is not JSON is no definition either.
  }
  throw new UserError(
    l10n.t('The clipboard holds no dataset definition. Copy one with "Copy Dataset Definition" and try again.'),
  );
}
