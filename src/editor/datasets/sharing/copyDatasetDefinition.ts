import { env, l10n } from 'vscode';
import type { DatasetSetting } from '../../../service/contract/dataset';
import { UserError } from '../../platform/userError';
import { window } from '../../platform/window';
import type { Services } from '../../services/services';
import { pickOwnDataset } from '../chooseDataset';
import { givenDataset } from '../findDataset';
import { type SecretPart, secretParts, withoutParts } from './secretParts';

/** Copies a dataset's name, base URL and contract, without its access key. Asks about what else may be a secret. */
export async function copyDatasetDefinition(services: Services, target: unknown): Promise<void> {
  const title = l10n.t('Copy Dataset Definition');
  const dataset = givenDataset(services, target) ?? (await pickOwnDataset(services, title));
  if (dataset === undefined) return;
  if (services.datasets.isSandbox(dataset)) {
    throw new UserError(l10n.t('The sandbox runs only in this window, so its definition is of no use elsewhere.'));
  }
  const definition = services.datasets.definition(dataset.name);
  const secrets = secretParts(definition, await services.keys.get(dataset));
  const copied = definition && secrets.length > 0 ? await askAboutSecrets(definition, secrets) : definition;
  if (copied === undefined) return;
  await env.clipboard.writeText(`${JSON.stringify(copied, undefined, 2)}\n`);
  window.setStatusBarMessage(l10n.t("Copied the definition of '{0}' without its access key", dataset.name), 5000);
}

/** What of a definition is copied; undefined where the user cancels. */
async function askAboutSecrets(
  definition: DatasetSetting,
  secrets: readonly SecretPart[],
): Promise<DatasetSetting | undefined> {
  const [first] = secrets;
  const isOne = secrets.length === 1;
  const question =
    isOne && first !== undefined
      ? l10n.t(
          "{0} in the definition of '{1}' looks like a secret. Copy it as well?",
          formatPart(first),
          definition.name,
        )
      : l10n.t(
          "{0} parts of the definition of '{1}' look like secrets. Copy them as well?",
          secrets.length,
          definition.name,
        );
  const without = isOne ? l10n.t('Copy Without It') : l10n.t('Copy Without Them');
  const whole = isOne ? l10n.t('Copy With It') : l10n.t('Copy With Them');
  const detail = isOne ? {} : { detail: secrets.map(formatPart).join('\n') };
  const chosen = await window.showWarningMessage(question, { modal: true, ...detail }, without, whole);
  if (chosen === without) return withoutParts(definition, secrets);
  return chosen === whole ? definition : undefined;
}

function formatPart({ kind, name }: SecretPart): string {
  return kind === 'header' ? l10n.t("Header '{0}'", name) : l10n.t("Form field '{0}'", name);
}
