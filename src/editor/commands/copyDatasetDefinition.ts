import { env, l10n, window } from 'vscode';
import { readDatasets } from '../../service/dataset';
import { type ChooseDeps, pickDataset } from '../chooseDataset';
import { isDatasetNode } from '../datasetsTree';
import { askAccessKey, keepAccessKey } from '../enterAccessKey';
import { definitionFaultWords } from '../faultWords';
import { SANDBOX_NAME } from '../sandboxHost';
import { UserError } from '../userError';

/** Copies a dataset's name, base URL and contract, for others to add. No access key is in it. */
export async function copyDatasetDefinition(deps: ChooseDeps, target: unknown): Promise<void> {
  const dataset = isDatasetNode(target) ? target.dataset : await pickDataset(deps, l10n.t('Copy Dataset Definition'));
  if (dataset === undefined) return;
  const definition = deps.datasets.definition(dataset.name);
  if (definition === undefined) {
    throw new UserError(l10n.t('The sandbox runs in this window alone, so its definition is of no use elsewhere.'));
  }
  await env.clipboard.writeText(`${JSON.stringify(definition, undefined, 2)}\n`);
  window.setStatusBarMessage(l10n.t("Definition of '{0}' copied, without its Access-Key", dataset.name), 5000);
}

/** Adds the dataset whose definition is in the clipboard, once it is checked and its access key typed. */
export async function addDatasetFromClipboard(deps: ChooseDeps): Promise<void> {
  const definition = definitionIn(await env.clipboard.readText());
  const { datasets, faults } = readDatasets([definition]);
  const [dataset] = datasets;
  const [fault] = faults;
  if (fault !== undefined) throw new UserError(definitionFaultWords(fault));
  if (dataset === undefined || dataset.name === SANDBOX_NAME || deps.datasets.find(dataset.name) !== undefined) {
    throw new UserError(l10n.t("There is already a dataset '{0}'.", dataset?.name ?? ''));
  }
  const key = await askAccessKey(dataset);
  if (key === undefined) return;
  await deps.datasets.add(definition);
  await keepAccessKey(deps.keys, dataset, key);
}

function definitionIn(text: string): { name: string; baseUrl: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'baseUrl' in value) return value as never;
  } catch {
    // Told below, as all else that is no definition.
  }
  throw new UserError(
    l10n.t('The clipboard holds no dataset definition. Copy one with "Copy Dataset Definition" and try again.'),
  );
}
