import { env, l10n } from 'vscode';
import { checkBaseUrl } from '../../service/contract/baseUrl';
import { type Dataset, type DatasetSetting, readDatasets } from '../../service/contract/dataset';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services/services';
import { askAccessKey, storeAccessKey } from './enterAccessKey';
import { formatDefinitionFault } from './formatFaults';

/** Validates the definition in the clipboard, asks for its access key, and adds the dataset. */
export async function addDatasetFromClipboard(services: Services): Promise<Dataset | undefined> {
  const copied = definitionIn(await env.clipboard.readText());
  const { datasets, faults } = readDatasets([copied]);
  const [dataset] = datasets;
  const [fault] = faults;
  if (fault !== undefined) throw new UserError(formatDefinitionFault(fault));
  if (dataset === undefined) return undefined;
  const nameFault = services.datasets.nameFault(dataset.name);
  if (nameFault !== undefined) throw new UserError(nameFault);
  // Only the user can allow plain http, not the author of the definition.
  const { allowHttp: _, ...definition } = copied;
  const needsHttp = 'fault' in checkBaseUrl(definition.baseUrl);
  if (needsHttp && !(await confirmHttp(dataset))) return undefined;
  const key = await askAccessKey(services.picks, dataset);
  if (key === undefined) return undefined;
  await services.datasets.add(needsHttp ? { ...definition, allowHttp: true } : definition);
  return (await storeAccessKey(services.keys, dataset, key)) ? services.datasets.find(dataset.name) : undefined;
}

function confirmHttp({ name, baseUrl }: Dataset): Promise<boolean> {
  const question = l10n.t("Add dataset '{0}', which uses plain HTTP?", name);
  const detail = l10n.t(
    'The access key and your files would be sent to {0} without encryption. Anyone on the network could read or change them.',
    baseUrl.host,
  );
  return window.confirm(question, detail, l10n.t('Allow Plain HTTP'));
}

function definitionIn(text: string): DatasetSetting {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'baseUrl' in value) return value as never;
  } catch {
    // Text that is not JSON is no definition either.
  }
  throw new UserError(
    l10n.t("The clipboard does not contain a dataset definition. Use 'Copy Dataset Definition' to copy one."),
  );
}
