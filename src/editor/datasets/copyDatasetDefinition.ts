import { env, l10n } from 'vscode';
import { withOverride } from '../../service/contract/contractOverrides';
import type { DatasetSetting } from '../../service/contract/dataset';
import { isObject } from '../../service/contract/settingSchema';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services/services';
import { pickOwnDataset } from './chooseDataset';
import { givenDataset } from './findDataset';

/** Copies a dataset's name, base URL and contract, without its access key. Asks about what else may be a secret. */
export async function copyDatasetDefinition(services: Services, target: unknown): Promise<void> {
  const title = l10n.t('Copy Dataset Definition');
  const dataset = givenDataset(services, target) ?? (await pickOwnDataset(services, title));
  if (dataset === undefined) return;
  if (services.datasets.isSandbox(dataset)) {
    throw new UserError(l10n.t('The sandbox runs only in this window, so its definition is of no use elsewhere.'));
  }
  const definition = services.datasets.definition(dataset.name);
  const copied = definition && (await askAboutFixed(definition));
  if (copied === undefined) return;
  await env.clipboard.writeText(`${JSON.stringify(copied, undefined, 2)}\n`);
  window.setStatusBarMessage(l10n.t("Copied the definition of '{0}' without its access key", dataset.name), 5000);
}

/** A header or a form field of a dataset's contract, by the keys that lead to it. */
type Part = readonly [...path: string[], name: string];

/** The definition with or without its headers and form fields that hold fixed texts; undefined where the user cancels. */
async function askAboutFixed(definition: DatasetSetting): Promise<DatasetSetting | undefined> {
  const parts = [...fixedParts(definition, ['headers']), ...fixedParts(definition, ['fileTask', 'fields'])];
  if (parts.length === 0) return definition;
  const question = l10n.t(
    "The definition of '{0}' has fixed values, which may be secret. Copy them as well?",
    definition.name,
  );
  const [without, whole] = [l10n.t('Copy Without Them'), l10n.t('Copy With Them')];
  const detail = parts.map(formatPart).join('\n');
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, without, whole);
  if (chosen !== without) return chosen === whole ? definition : undefined;
  const contract = parts.reduce<unknown>((all, part) => withOverride(all, part, undefined), definition.contract);
  return { ...definition, contract };
}

/** The members at a path of the contract, which may hold anything, that are not only made of placeholders. */
function fixedParts({ contract }: DatasetSetting, path: readonly string[]): Part[] {
  const inner = path.reduce<unknown>((outer, key) => (isObject(outer) ? outer[key] : undefined), contract);
  return Object.entries(isObject(inner) ? inner : {}).flatMap(([name, value]) =>
    String(value)
      .replaceAll(/\$\{\w+(?::\w+)?\}/g, '')
      .trim() === ''
      ? []
      : [[...path, name]],
  );
}

function formatPart(part: Part): string {
  const name = part.at(-1) ?? '';
  return part[0] === 'headers' ? l10n.t("Header '{0}'", name) : l10n.t("Form field '{0}'", name);
}
