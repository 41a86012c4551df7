import { l10n } from 'vscode';
import { sandboxStartsAutomatically } from '../platform/settings';
import { commandAction } from '../platform/userError';
import type { Services } from '../services/services';
import { onNothing } from '../targets';

/** Registers the commands of the sandbox, and starts it if the settings say so. */
export function registerSandbox(services: Services): void {
  const { sandbox, messages } = services;
  if (sandboxStartsAutomatically()) void sandbox.start().catch((error) => messages.error(error));
  services.commands.handle(
    {
      'datasetImport.startSandbox': onNothing(() => startSandbox(services)),
      'datasetImport.stopSandbox': onNothing(() => sandbox.stop()),
    },
    messages,
  );
}

/** Starts the sandbox and shows how to import to it. */
async function startSandbox({ sandbox, datasets, messages }: Services): Promise<void> {
  const dataset = await sandbox.start();
  const isDefault = datasets.default === dataset;
  const useIt = { label: l10n.t('Set as Default'), run: () => datasets.setDefault(dataset) };
  const importSamples = commandAction(l10n.t('Import Sample Files'), 'importSamples');
  const message = isDefault
    ? l10n.t("The sandbox is running. Files are imported to dataset '{0}' and stay on this machine.", dataset.name)
    : l10n.t(
        "The sandbox is running as dataset '{0}'. Files that are imported to it stay on this machine.",
        dataset.name,
      );
  await messages.done(message, importSamples, ...(isDefault ? [] : [useIt]));
}
